"""One optimizer step under FSDP2, event by event: what the counts and bytes of its collectives are counted on.

A group is either gathered or not; an event that finds it gathered moves nothing. Groups are the wrapped blocks in order, and
the root group, which holds whatever no block does.
"""

from __future__ import annotations

Group = int | None
"""A block's number, or the root group."""
ROOT = None

Collective = tuple[str, Group]
"""One collective: ``gather`` or ``reduce``, and of which group."""


def step(
    blocks: int, micro_batches: int = 1, *, reshard: bool = True, reshard_root: bool = False, sync_each: bool = True,
    reshard_after_backward: bool = True, frozen: int = 0,
) -> list[Collective]:  # fmt: skip
    """The collectives of one optimizer step, in order."""
    events: list[Collective] = []
    gathered: set[Group] = set()

    def need(group: Group) -> None:
        if group not in gathered:
            gathered.add(group)
            events.append(("gather", group))

    for number in range(1, micro_batches + 1):
        last = number == micro_batches
        for group in (ROOT, *range(blocks)):
            need(group)
            if reshard and (group is not ROOT or reshard_root):
                gathered.discard(group)
        for group in (*reversed(range(blocks)), ROOT):
            need(group)
            trains = group is None or group >= frozen
            if trains and (sync_each or last):
                events.append(("reduce", group))
            if reshard_after_backward or last:
                gathered.discard(group)
    return events


def how_many(events: list[Collective], what: str) -> int:
    """Collectives of a kind."""
    return sum(kind == what for kind, _ in events)
