"""The formula catalogue: a page a formula, a page a topic, and the way in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sympy import Expr
from sympy.core.relational import Relational

from ...algebra.agreement import exact
from ...algebra.formula import Formula, Published
from ...algebra.hypotheses import Hypothesis
from ...algebra.printing import to_latex
from ...algebra.units import Amount
from ...algebra.vocabulary import letter, symbol_named
from ...reasoning.audit import Finding
from ...reasoning.evidence import records_of
from ...reasoning.work import show_result
from ...teaching.drills import QUESTIONS
from ...teaching.misconceptions import about
from ..evidence_table import rows_of
from ..explanation import letters_of
from .lemma_graph import Place, picture, place
from .markdown import code, contents, link, page, plain, table
from .places import FORMULAS, NOTATION, formula_page, to_cell, to_formula, to_lesson, to_misconception, to_practice, topic_page
from .uses import Uses, lessons_with


def formula_sources(findings: Mapping[str, Finding], uses: Uses) -> Iterator[tuple[str, str]]:
    """Every page of the catalogue with its Markdown.

    Parameters
    ----------
    findings : mapping
        What the audit says of each formula, by id.
    uses : Uses
        Which questions ask for it.
    """
    topics: dict[str, list[Finding]] = {}
    for finding in findings.values():
        topics.setdefault(finding.formula.topic, []).append(finding)
        yield formula_page(finding.formula), formula_text(finding, uses)
    for topic, found in topics.items():
        yield topic_page(topic), _topic_text(topic, found)
    yield FORMULAS, _catalogue_text(topics)


def formula_text(finding: Finding, uses: Uses) -> str:
    """A formula's page."""
    formula = finding.formula
    story = formula.story.partition("\n")[2].strip()
    where = link(plain(formula.topic.capitalize()), f"{topic_page(formula.topic)}.md")
    return page(
        "---\norphan: true\n---",
        f"# {plain(formula.title)} ({code(formula.id)})",
        f"{link('Formulas', f'{FORMULAS}.md')} › {where}",
        plain_paragraphs(story),
        "## Statement",
        _statement(formula),
        "## Derivation",
        "Each line equals the one before it; the verdict is the machine's.",
        formula.derivation.table,
        "## Hypotheses",
        _hypotheses(formula),
        "## Letters",
        _letters(formula),
        "## Source",
        f"{plain(str(formula.source))}.",
        "## Evidence",
        _evidence(finding),
        _published(formula),
        _records(formula),
        "## Where it is used",
        _used(formula, uses),
        "## Place in the lemma graph",
        _graph(place(formula)),
    )


def plain_paragraphs(text: str) -> str:
    return "\n\n".join(plain(part) for part in text.split("\n\n"))


def _statement(formula: Formula) -> str:
    said = [f"{plain(_sentence(letter(formula.defines).says))}", _display(formula, formula.exact)]
    if formula.hypotheses:
        said += [f"where {_listed(formula.hypotheses)}. Without that assumption:", _display(formula, formula.closed)]
    return page(*said).strip()


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}:"


def _display(formula: Formula, reading: Expr) -> str:
    tex = to_latex(reading) if isinstance(reading, Relational) else f"{to_latex(formula.defines)} = {to_latex(reading)}"
    return f"$$\n{tex}\n$$"


def _listed(hypotheses: tuple[Hypothesis, ...]) -> str:
    return "; ".join(f"${h.latex}$ ({plain(h.text)})" for h in hypotheses)


def _hypotheses(formula: Formula) -> str:
    assumed = [f"* ${h.latex}$: {plain(h.text)}." for h in formula.hypotheses]
    ranges = [f"* ${h.latex}$: {plain(h.text)}; outside of this it means nothing." for h in formula.where]
    return "\n".join([*assumed, *ranges]) or "None: it holds for every value that its letters can take."


def _letters(formula: Formula) -> str:
    symbols = [symbol_named(name) for name in letters_of(formula)]
    rows = [[f"${letter(s).tex}$", code(s.name), plain(letter(s).says), plain(letter(s).range_text)] for s in symbols]
    return table(("letter", "typed", "what it is", "range"), rows) or "It takes none: it is a number."


def _evidence(finding: Finding) -> str:
    formula = finding.formula
    counted = f"It was counted a second way, without algebra, at {finding.counted} points, and each time count and formula were equal."
    verdict = f"The audit says: **{finding.status}**."
    return f"{verdict} {counted} Try it: {code(f'fsdp-sym explain {formula.id}')}."


def _published(formula: Formula) -> str:
    rows = [[plain(str(row.source)), _at(row), _value(formula, row), _agreement(row.digits)] for row in formula.published]
    return page("### Known values", table(("from", "at", "value", "agrees"), rows, numbers=2)).strip() if rows else ""


def _at(row: Published) -> str:
    return ", ".join(f"${letter(s).tex}$ = {_shown(Amount(exact(value), letter(s).dimension))}" for s, value in row.at.items())


def _value(formula: Formula, row: Published) -> str:
    if isinstance(row.value, bool):
        return "yes" if row.value else "no"
    return _shown(Amount(exact(row.value), letter(formula.defines).dimension))


def _shown(amount: Amount) -> str:
    return plain(show_result(amount))


def _agreement(digits: int | None) -> str:
    return "exactly" if digits is None else f"to {digits} digits"


def _records(formula: Formula) -> str:
    found = list(records_of(formula.id))
    rows = [
        [plain(row.what), plain(f"{record.version}; {record.source}"), plain(row.predicted), plain(row.found), plain(row.nearness)]
        for record, row in zip(found, rows_of(found), strict=True)
    ]
    head = ("what", "version and source", "predicted", "found", "predicted is")
    return page("### Measured and printed", table(head, rows, numbers=3)).strip() if rows else ""


def _used(formula: Formula, uses: Uses) -> str:
    lessons = [to_lesson(lesson) for lesson in lessons_with(formula.id)]
    questions = uses.asking.get(formula.id, [])
    asking = list(dict.fromkeys(QUESTIONS[name].cell for name in questions))
    mistakes = [to_misconception(m.id) for m in about(formula.id)]
    said = (
        ("Lessons that derive or work it", lessons),
        ("Cells that ask for it", [to_cell(cell) for cell in asking]),
        ("Practise it in the cells", [to_practice(cell, formula_page(formula)) for cell in asking]),
        ("Questions", [code(name) for name in questions]),
        ("Misconceptions about it", mistakes),
    )
    lines = [f"* {what}: {', '.join(items)}." for what, items in said if items]
    return "\n".join(lines) or "No cell uses it by itself; other formulas rest on it."


def _graph(shown: Place) -> str:
    said = [
        f"It rests on {_names(shown.direct)}." if shown.direct else "It rests on no other formula.",
        f"Through these it rests on {_names(shown.through)}." if shown.through else "",
        f"It is used by {_names(shown.users)}." if shown.users else "No other formula uses it.",
    ]
    alone = not shown.direct and not shown.users
    return page("" if alone else f'<div class="picture">{picture(shown)}</div>', " ".join(filter(None, said))).strip()


def _names(formulas: Iterable[Formula]) -> str:
    return ", ".join(to_formula(f.id) for f in formulas)


def _topic_text(topic: str, found: list[Finding]) -> str:
    rows = [[to_formula(f.formula.id), plain(f.formula.title), f.status, str(f.counted)] for f in found]
    return page(f"# {plain(topic.capitalize())}", table(("formula", "what it says", "verdict", "points counted"), rows, numbers=1))


def _catalogue_text(topics: Mapping[str, list[Finding]]) -> str:
    lines = [
        f"* {link(plain(topic.capitalize()), f'{topic_page(topic)}.md')} ({len(found)}): {_names(f.formula for f in found)}."
        for topic, found in topics.items()
    ]
    return page(
        "# Formulas",
        "Each formula has a page: what it says, its derivation with the machine's verdict on every step, what it assumes, its source, "
        "what confirms it, who uses it, and the formulas it rests on. Their letters are explained under "
        f"{link('notation', f'{NOTATION}.md')}.",
        "\n".join(lines),
        contents((topic.capitalize(), f"/{topic_page(topic)}") for topic in topics),
    )
