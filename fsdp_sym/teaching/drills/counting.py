"""The keys of a drill by the counting route: ranks laid out, rings played, in place of the formulas.

What has no number, a formula to write or a principle to pick, has nothing to count.
"""

from __future__ import annotations

from fractions import Fraction

from sympy import oo

from ...algebra.formula import Bracket
from ...algebra.units import Amount, to_exact
from ...algebra.vocabulary import letter
from ...reasoning.catalogue import formula as formula_named
from ...reasoning.work import Worked, count, plain, work
from .chain import worked
from .choose import STAGES, STATES, Decide, Stage
from .faded import Faded
from .form import Drill, Key
from .givens import Numbers, numbers
from .split import DEGREE, Split
from .value import Value
from .wrong_line import WrongLine

Counted = Key | Bracket
_ANY = 8  # ranks, or seconds: for a count that needs some and does not depend on how many


def works(drill: Drill) -> tuple[tuple[Worked, str], ...]:
    """The formulas behind the numbers of a drill's answer, at its givens, each with its unit; none where there is no number."""
    question, variant = drill.question, drill.variant
    if None in drill.keys:
        return ()
    match question:
        case Value(kind="limit"):
            step = formula_named(question.formula).limit
            assert step is not None
            return ((_work(numbers(variant, question.draws), question.formula, step.limit[0].name), question.unit),)
        case Value():
            return ((_work(numbers(variant, question.draws), question.formula), question.unit),)
        case Decide():
            return ((_work(numbers(variant, question.draws), question.formula), ""),)
        case Stage():
            return tuple((_work(numbers(variant, question.draws), state), "") for state in STATES)
        case Split():
            return ((_work(numbers(variant, question.draws), DEGREE), ""),)
        case Faded() | WrongLine():
            known, _ = worked(question.chain, numbers(variant, question.chain.draws))
            lines = question.chain.lines
            asked = lines[-question.blanks :] if isinstance(question, Faded) else lines[int(str(drill.keys[0])) - 1 :][:1]
            return tuple((_work(known, name), unit) for name, unit in asked)
    return ()


def counted_keys(drill: Drill) -> tuple[Counted, ...]:
    """The key of each part by counting; where nothing is counted, the drill's own. A root comes as exact bounds.

    Raises
    ------
    FsdpSymError
        Where a formula has no count.
    """
    keys, found = drill.keys, [_plain(count(one)) for one, _ in works(drill)]
    match drill.question:
        case Decide():
            return ("yes" if found[0] else "no", *keys[1:])
        case Stage():
            budget = next(v for s, v in numbers(drill.variant, drill.question.draws).items() if s.name == "M_max")
            fitting = [stage for stage, state in zip(STAGES, found, strict=False) if state <= budget]  # type: ignore[operator]
            return ((*fitting, STAGES[-1])[0], *keys[1:])
        case Split() if found:
            return ((int(found[0]), *keys[0][1:]),)  # type: ignore[arg-type, index]
        case WrongLine():
            return (*keys[:1], *found[: len(keys) - 1])
        case Value() | Faded() if found:
            return tuple(found)
    return keys


def confirmed(drill: Drill) -> bool:
    """Whether the count gives the drill's own keys."""
    return all(_agree(key, counted) for key, counted in zip(drill.keys, counted_keys(drill), strict=True))


def _agree(key: Key, counted: Counted) -> bool:
    return counted.low <= key <= counted.high if isinstance(counted, Bracket) else counted == key  # type: ignore[operator]


def _work(known: Numbers, formula: str, endless: str = "") -> Worked:
    chosen = formula_named(formula)
    values = {s: Amount(to_exact(value), letter(s).dimension) for s, value in known.items()}
    values |= {s: Amount(to_exact(_ANY), letter(s).dimension) for s in chosen.counted_letters if s not in known and s.name != endless}
    return work({s.name: amount for s, amount in values.items()} | ({endless: oo} if endless else {}), chosen)


def _plain(value: Amount | bool | Bracket) -> int | Fraction | bool | Bracket:
    return plain(value.value) if isinstance(value, Amount) else value
