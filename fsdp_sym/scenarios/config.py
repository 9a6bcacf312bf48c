"""A Hugging Face config.json, read into a `Shape`; what is not known is said, never guessed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from ..algebra.errors import FsdpSymError, UnknownName
from .shapes import Shape

_MOST_BYTES: Final = 2**20
_MOST: Final = 10**9  # of any one number: beyond it a config is damaged
_MOST_LAYERS: Final = 10**4  # each of which is gone through


class _Config:
    """The keys of a config, with a one-line refusal for each that is missing or makes no sense."""

    def __init__(self, values: Mapping[str, Any], name: str) -> None:
        self.values, self.name = values, name

    def whole(self, *keys: str, default: int | None = None, most: int = _MOST) -> int:
        """The first of these keys that is there, as a positive whole number."""
        for key in keys:
            value = self.values.get(key)
            if value is None:
                continue
            if type(value) is not int or not 0 < value <= most:
                raise FsdpSymError(f"{self.name}: {key} is {repr(value)[:40]}: a positive whole number is wanted, {most:,} at most")
            return value
        if default is None:
            raise FsdpSymError(f"{self.name} has no {keys[0]}: add it, as {self.values['model_type']} models do")
        return default

    def flag(self, key: str, default: bool) -> bool:
        value = self.values.get(key, default)
        if type(value) is not bool:
            raise FsdpSymError(f"{self.name}: {key} is {value!r}: true or false is wanted")
        return value


def _llama(c: _Config, **more: Any) -> Shape:
    hidden, heads = c.whole("hidden_size"), c.whole("num_attention_heads")
    head = c.whole("head_dim", default=0) if c.values.get("head_dim") is not None else _divided(c, "hidden_size", "num_attention_heads", "give head_dim")
    bias = c.flag("attention_bias", False)
    given: dict[str, Any] = {
        "tied": c.flag("tie_word_embeddings", False), "qkv_bias": bias, "out_bias": bias, "mlp_bias": c.flag("mlp_bias", False),
    }  # fmt: skip
    return Shape(
        c.name, hidden, c.whole("intermediate_size"), c.whole("num_hidden_layers", most=_MOST_LAYERS), heads,
        c.whole("num_key_value_heads", default=heads), head, c.whole("vocab_size"), f"the config {c.name}", **given | more,
    )  # fmt: skip


def _divided(c: _Config, size: str, count: str, remedy: str) -> int:
    hidden, heads = c.whole(size), c.whole(count)
    if hidden % heads:
        raise FsdpSymError(f"{c.name}: {size} {hidden} is no multiple of {count} {heads}: {remedy}")
    return hidden // heads


def _qwen2(c: _Config) -> Shape:
    return _llama(c, qkv_bias=True, out_bias=False, mlp_bias=False)


def _gemma(c: _Config) -> Shape:
    return _llama(c, tied=c.flag("tie_word_embeddings", True))


def _mixtral(c: _Config) -> Shape:
    experts, active = c.whole("num_local_experts"), c.whole("num_experts_per_tok")
    if active > experts:
        raise FsdpSymError(
            f"{c.name}: num_experts_per_tok {active} is more than num_local_experts {experts}: a token cannot be sent to so many"
        )
    return _llama(c, experts=experts, active=active, qkv_bias=False, out_bias=False)


def _gpt2(c: _Config) -> Shape:
    hidden, heads = c.whole("n_embd"), c.whole("n_head")
    return Shape(
        c.name, hidden, c.whole("n_inner", default=4 * hidden), c.whole("n_layer", most=_MOST_LAYERS), heads, heads,
        _divided(c, "n_embd", "n_head", "put one of them right"),
        c.whole("vocab_size"), f"the config {c.name}", gated=False, tied=c.flag("tie_word_embeddings", True),
        qkv_bias=True, out_bias=True, mlp_bias=True, layer_norm=True, positions=c.whole("n_positions"), fused_transposed=True,
    )  # fmt: skip


_FAMILIES: Final[dict[str, Callable[[_Config], Shape]]] = {
    "llama": _llama, "mistral": _llama, "qwen2": _qwen2, "gemma": _gemma, "mixtral": _mixtral, "gpt2": _gpt2,
}  # fmt: skip


def read_config(source: str | Path | Mapping[str, Any]) -> Shape:
    """Read the shape of a model.

    Parameters
    ----------
    source : path or mapping
        A Hugging Face ``config.json``, or its contents.

    Returns
    -------
    Shape

    Raises
    ------
    FsdpSymError
        In one line, naming the file, the key and what is wanted; for a family that is not known, the ones that are.
    """
    if isinstance(source, Mapping):
        values, name = source, str(source.get("_name_or_path") or source.get("model_type") or "the config")
    else:
        values, name = _read(Path(source))
    family = values.get("model_type")
    if not isinstance(family, str):
        raise FsdpSymError(f"{name} has no model_type: it is no model's config.json")
    if family not in _FAMILIES:
        raise UnknownName("model family", family, _FAMILIES, f"{name} can be read if its model_type is {', '.join(_FAMILIES)}")
    if family != "mixtral" and any(values.get(key) for key in ("num_local_experts", "num_experts", "n_routed_experts")):
        raise FsdpSymError(f"{name}: a {family} with experts is not known: only mixtral is")
    return _FAMILIES[family](_Config(values, name))


def _read(path: Path) -> tuple[Mapping[str, Any], str]:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise FsdpSymError(f"{path} is too large to be a config.json: name the file beside the weights")
        values = json.loads(path.read_bytes())
    except OSError as error:
        raise FsdpSymError(f"{path} cannot be read: {error.strerror}: name a model's config.json") from None
    except (ValueError, RecursionError):
        raise FsdpSymError(f"{path} is no JSON: name a model's config.json") from None
    if not isinstance(values, dict):
        raise FsdpSymError(f"{path} holds no object: name a model's config.json")
    return values, path.name if path.name != "config.json" else (path.parent.name or path.name)
