"""The book as a reader has it: every kind of page, on a phone and a wide screen, light and dark, from a folder and from a server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from visits import WIDTHS, Visit

KINDS = {
    "home": "index",
    "start": "lessons/start-here",
    "lesson": "lessons/D-communication-volume",
    "long lesson": "lessons/N-reality-check",
    "formula": "formulas/communication/all_gather",
    "formula with lemmas": "formulas/peak/peak_fits",
    "topic": "formulas/activations",
    "formulas": "formulas",
    "misconceptions": "misconceptions",
    "misconceptions of a topic": "misconceptions/communication",
    "notation": "notation",
    "new cell": "a-new-cell",
    "command line": "command-line",
    "practice": "practice",
    "practice on paper": "practice-on-paper",
    "search": "search",
}
MOST_BYTES = 40 * 10**6
FONTS = ['16px "Source Sans 3"', 'italic 16px "Source Sans 3"', '16px "DejaVu Mono"']


LAYOUTS = {"home", "lesson", "formula", "practice"}  # what else there is, is laid out as one of these


def _is_whole(seen: Visit) -> None:
    """Fonts are loaded, formulas are set, and the page neither complains nor asks for anything outside."""
    page = seen.page
    assert page.evaluate("async fonts => (await Promise.all(fonts.map(f => document.fonts.load(f)))).every(f => f.length)", FONTS)
    unset = page.evaluate("() => [...document.querySelectorAll('.math')].filter(m => !m.querySelector('mjx-container')).length")
    assert unset == 0, "a formula was not set"
    assert page.locator("mjx-merror, [data-mjx-error]").count() == 0
    assert seen.outside == []
    assert seen.complaints == []


def test_it_is_small(site: Path) -> None:
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < MOST_BYTES


@pytest.mark.parametrize("kind", KINDS)
def test_from_a_folder_a_page_is_whole_and_everybody_can_use_it(reader: Visit, addresses: dict[str, str], axe: str, kind: str) -> None:
    page = reader.go(f"{addresses['folder']}/{KINDS[kind]}.html")
    _is_whole(reader)
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            reader.look(width, scheme)
            root = page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
            assert root[0] <= root[1], f"the page scrolls sideways on a {width}"
            if (width, scheme) == ("phone", "light") or kind in LAYOUTS:
                assert reader.barriers(axe) == [], (width, scheme)
            elif scheme == "dark" and width == "desktop":
                assert reader.barriers(axe, "color-contrast") == [], (width, scheme)


@pytest.mark.parametrize("kind", KINDS)
def test_from_a_sub_path_a_page_is_whole(reader: Visit, addresses: dict[str, str], kind: str) -> None:
    reader.go(f"{addresses['server']}/{KINDS[kind]}.html")
    _is_whole(reader)


@pytest.mark.parametrize("place", ["folder", "server"])
def test_search_finds(reader: Visit, addresses: dict[str, str], place: str) -> None:
    page = reader.go(f"{addresses[place]}/index.html")
    page.locator(".sidebar-search").fill("reduce_scatter")
    page.keyboard.press("Enter")
    results = page.locator("#search-results li a")
    expect(results.first).to_be_visible(timeout=20_000)
    found = [link.get_attribute("href") or "" for link in results.all()]
    assert any("formulas/communication/reduce_scatter.html" in href for href in found), found
    results.first.click()
    expect(page.locator("article h1")).to_be_visible()
    assert (reader.outside, reader.complaints) == ([], [])


@pytest.mark.parametrize("width", WIDTHS)
def test_the_map_leads_to_a_lesson_and_a_formula_to_its_neighbours(reader: Visit, addresses: dict[str, str], width: str) -> None:
    reader.look(width)
    page = reader.go(f"{addresses['folder']}/index.html")
    # Anywhere on a place of the map, not on its words alone.
    page.locator("ol.map li", has_text="D Communication volume").click(position={"x": 5, "y": 5})
    expect(page.locator("article h1")).to_contain_text("D. Communication volume")
    page.get_by_role("link", name="ring_steps").click()
    expect(page).to_have_url(f"{addresses['folder']}/formulas/communication/ring_steps.html")
    page.go_back()
    page.get_by_role("link", name="all_gather", exact=True).click()
    page.locator(".lemma-graph a", has_text="layer_traffic").click()
    expect(page).to_have_url(f"{addresses['folder']}/formulas/communication/layer_traffic.html")


def _tabbed(page: Page, wanted: str, most: int) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
    pytest.fail(f"{wanted} is not reached with {most} tabs")


def test_the_keyboard_alone_reads_the_book(visit: Callable[..., Visit], addresses: dict[str, str]) -> None:
    page = visit().go(f"{addresses['folder']}/index.html")
    _tabbed(page, "a.skip-to-content", 4)
    _tabbed(page, ".sidebar-search", 8)
    _tabbed(page, ".sidebar-tree a", 4)
    outline = page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none", "what has the focus cannot be seen"
    page.keyboard.press("Enter")
    expect(page.locator("article h1")).to_contain_text("Start here")
    _tabbed(page, "button.theme-toggle", 60)
    before = page.evaluate("() => document.body.dataset.theme")
    page.keyboard.press("Enter")
    assert page.evaluate("() => document.body.dataset.theme") != before


def test_on_a_phone_the_keyboard_opens_the_navigation(visit: Callable[..., Visit], addresses: dict[str, str]) -> None:
    page = visit("phone").go(f"{addresses['folder']}/index.html")
    _tabbed(page, "#__navigation", 3)
    page.keyboard.press("Space")
    expect(page.locator(".sidebar-tree a").first).to_be_in_viewport()
    page.get_by_role("link", name="Notation", exact=True).click()
    expect(page.locator("article h1")).to_contain_text("Notation")


def test_a_wide_table_scrolls_by_itself_and_with_the_keyboard(reader: Visit, addresses: dict[str, str]) -> None:
    reader.look("phone")
    page = reader.go(f"{addresses['folder']}/notation.html")
    box = page.locator(".table-wrapper").first
    expect(box).to_have_attribute("tabindex", "0")
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("box => box.scrollLeft > 0", arg=box.element_handle())


def test_on_a_phone_what_was_worked_out_is_in_sight(reader: Visit, addresses: dict[str, str]) -> None:
    reader.look("phone")
    page = reader.go(f"{addresses['folder']}/{KINDS['lesson']}.html")
    room = page.locator(".tag_sentence .cell_output pre").evaluate_all("all => all.map(pre => [pre.scrollWidth, pre.clientWidth])")
    assert len(room) > 5
    assert [(wide, there) for wide, there in room if wide > there] == []


def test_nothing_moves_for_those_who_asked_for_rest(reader: Visit, addresses: dict[str, str]) -> None:
    page = reader.go(f"{addresses['folder']}/index.html")
    moving = page.evaluate(
        "() => [...document.querySelectorAll('*')].filter(e => { const s = getComputedStyle(e); "
        "return s.transitionDuration.split(',').some(d => parseFloat(d) > 0) || s.animationName !== 'none' "
        "|| s.scrollBehavior === 'smooth'; }).length"
    )
    assert moving == 0


def test_on_paper_the_text_stands_alone(reader: Visit, addresses: dict[str, str]) -> None:
    reader.look("desktop", "dark")
    page = reader.go(f"{addresses['folder']}/{KINDS['lesson']}.html")
    page.emulate_media(media="print")
    for part in (".sidebar-drawer", ".toc-drawer", ".mobile-header", ".related-pages"):
        expect(page.locator(part)).to_be_hidden()
    paper = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    assert paper in ("rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"), paper


def test_every_picture_is_told_in_words(reader: Visit, addresses: dict[str, str]) -> None:
    page = reader.go(f"{addresses['folder']}/{KINDS['lesson']}.html")
    alt = page.locator("article svg.drawn").first.get_attribute("aria-label") or ""
    assert "689.0625 MB" in alt
