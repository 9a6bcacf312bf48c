"""A cell to turn: sliders for its givens, and the figure, the numbers and what is to be said follow."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from ..algebra.errors import FsdpSymError
from ..algebra.markup import element, notebook_table, text
from ..algebra.units import Amount, show, unit_size
from ..algebra.vocabulary import letter, symbol_named
from ..figures.columns import amount_of, measured
from ..figures.picture import Picture
from ..figures.turned import draw_turned
from ..scenarios.cells import CELLS
from ..teaching.explore import Position, start


def figure(position: Position) -> Picture:
    """The picture of a position."""
    knobs = position.knobs
    first = knobs.turned[0]
    along = position.along()
    here = next(at for at, p in enumerate(along) if p.values[first].value == position.values[first].value)
    values = {name: [amount_of(p.worked[name]) for p in along] for name in knobs.drawn}
    level = position.values.get(knobs.level)
    unit = _common_unit([a for column in values.values() for a in column])
    return draw_turned(
        f"{CELLS[knobs.cell].title.rstrip('?')}, against {first}",
        "with " + ", ".join(f"{name} = {show(a)}" for name, a in position.values.items() if name != first),
        measured(first, [p.values[first] for p in along], position.values[first].unit or ""),
        [measured(name, column, unit) for name, column in values.items()],
        here,
        None if level is None else measured(knobs.level, [level] * len(along), unit),
        unit,
    )


def _common_unit(amounts: list[Amount]) -> str:
    """The unit that a middling one of them is shown in."""
    middle = sorted(amounts, key=lambda a: a.value)[len(amounts) // 2]
    unit = show(Amount(middle.value, middle.dimension), digits=3).removeprefix("≈ ").partition(" ")[2]
    return unit if unit and unit_size(unit) else ""


def page(position: Position) -> str:
    """The numbers and what is to be said, as HTML."""
    rows = (
        (
            element("code", text(name)),
            text(letter(found.formula.defines).says),
            text(found.line()).replace("\n", "<br>"),
            element("strong", text(found.result().replace(" ", "\N{NO-BREAK SPACE}"))),
        )
        for name, found in position.worked.items()
    )
    edges = "".join(element("li", text(line)) for line in position.edges)
    said = element("p", element("strong", "At this place")) + element("ul", edges) if edges else ""
    heads = ("formula", "what it is", "with the numbers here", "result")
    return element("div", said, notebook_table(heads, rows, f"Cell {position.knobs.cell}"))


def drawn(position: Position) -> str:
    """The figure as HTML, its table behind a fold."""
    picture = figure(position)
    source = f"data:image/svg+xml;base64,{b64encode(picture.svg()).decode()}"
    image = element("img", src=source, alt=picture.alt, style="max-width:100%;width:46em")
    rows = ([text(cell) for cell in row] for row in picture.table.rows)
    numbers = notebook_table([text(h) for h in picture.table.headers], rows, "Everything that is drawn")
    return element("div", image, element("details", element("summary", "The figure's numbers"), numbers))


def explore(cell: str) -> Any:
    """Sliders for a cell's givens; the figure and the numbers follow.

    Parameters
    ----------
    cell : str
        A cell's letter such as ``"G"``.

    Returns
    -------
    ipywidgets.VBox
        Show it as the last line of a notebook's cell. A slider has the values that mean something where the others stand.

    Raises
    ------
    FsdpSymError
        In one line, for an unknown cell, or where ipywidgets is not installed.
    """
    position = start(cell)
    try:
        import ipywidgets
    except ImportError:
        raise FsdpSymError("explore needs ipywidgets: pip install 'fsdp_sym[lab]'") from None
    return _Panel(position, ipywidgets).box


class _Panel:
    """The widgets of one exploration, and the position they show."""

    def __init__(self, position: Position, widgets: Any) -> None:
        self.position = position
        self.numbers, self.picture = widgets.HTML(), widgets.HTML()
        wide = widgets.Layout(width="36em", max_width="100%")
        self.sliders = {
            name: widgets.SelectionSlider(options=self._options(name), description=name, layout=wide, continuous_update=False)
            for name in position.knobs.turned
        }
        self.show()
        for name, slider in self.sliders.items():
            slider.observe(lambda change, name=name: self.turn(name, change["new"]), names="value")
        labelled = [
            widgets.HBox([slider, widgets.Label(letter(symbol_named(name)).says)], layout=widgets.Layout(flex_flow="row wrap"))
            for name, slider in self.sliders.items()
        ]
        asked = widgets.HTML(element("p", element("strong", text(_titled(position)))))
        self.box = widgets.VBox([asked, *labelled, self.picture, self.numbers])

    def _options(self, name: str) -> list[tuple[str, Amount]]:
        return [(show(a), a) for a in self.position.choices(name)]

    def turn(self, name: str, value: Amount) -> None:
        """A slider was moved; what it moves in turn is not heard."""
        if not self.showing and value is not None:
            self.position = self.position.turned(name, value)
            self.show()

    def show(self) -> None:
        self.showing = True
        try:
            for name, slider in self.sliders.items():
                slider.options = self._options(name)
                slider.value = self.position.values[name]
            self.picture.value, self.numbers.value = drawn(self.position), page(self.position)
        finally:
            self.showing = False


def _titled(position: Position) -> str:
    """The cell's letter, title and question."""
    cell = CELLS[position.knobs.cell]
    return f"{cell.id}. {cell.title.rstrip('?')}: {cell.question}"
