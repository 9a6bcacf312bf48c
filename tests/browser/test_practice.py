"""Practice in the page as a reader has it: Python starts in the browser, and judges as it does outside of it."""

from __future__ import annotations

import json
import pickle
import re
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from runpy import run_path

import pytest
from playwright.sync_api import Page, expect
from visits import Visit

from fsdp_sym.publishing.exporters.answer_text import answer_text
from fsdp_sym.publishing.practice_page.bridge import Desk
from fsdp_sym.teaching.answers import Symbolic, read
from fsdp_sym.teaching.drills import QUESTIONS, pose
from fsdp_sym.teaching.progress import FILE

TABLE = Path(__file__).parents[1] / "teaching" / "answers" / "test_reading_table.py"
DRILLS = 1000
AT_ONCE = 50
STARTED = 90_000  # far more than it takes: how long that is, is measured elsewhere


def started(seen: Visit, address: str) -> Page:
    """The page with its first question or forecast."""
    page = seen.go(address)
    expect(page.locator("#p-draw")).to_be_enabled(timeout=STARTED)
    return page


def answer(page: Page, text: str) -> None:
    page.get_by_label("Give a whole number.").fill(text)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("width", ["phone", "desktop"])
def test_a_student_takes_n_for_n_minus_1_is_told_so_and_finds_the_answer(
    visit: Callable[..., Visit], addresses: dict[str, str], width: str
) -> None:
    seen = visit(width)
    page = started(seen, f"{addresses['server']}/practice.html#D")
    said = page.locator("#p-said")
    expect(page.get_by_role("heading", name="First, a forecast: D. Communication volume")).to_be_visible()
    page.get_by_label("Your forecast").fill("500")
    page.keyboard.press("Enter")
    expect(page.locator("#p-forecast")).to_contain_text("a unit is missing: add one, such as 500 MB")
    page.get_by_label("Your forecast").fill("500 MB")
    page.keyboard.press("Enter")
    expect(page.locator("#p-forecast")).to_contain_text("truth: 689.0625 MB")
    expect(page.get_by_role("heading", name="D-steps, number 1")).to_be_focused()
    expect(page.locator(".p-prompt")).to_have_text("How many steps does a ring all-gather over 40 ranks take?")
    page.get_by_role("button", name="Worked answer").click()
    expect(page.locator("#p-worked")).to_contain_text("Try an answer of your own first")

    answer(page, "40")
    expect(said).to_contain_text("✗ Not right")
    expect(said).to_contain_text("Read as: 40")
    expect(said).to_contain_text("A rank needs a step for each shard it does not have, one fewer than there are ranks.")
    page.get_by_role("button", name="Hint 1 of 3").click()
    expect(page.locator("#p-hint-1")).to_contain_text("one step fewer than there are ranks")
    answer(page, "39")
    expect(said).to_contain_text("✓ Right")
    page.get_by_role("button", name="Worked answer").click()
    expect(page.locator("#p-worked")).to_contain_text("n_steps = N - 1 = 40 - 1 = 39")
    expect(page.locator("#p-progress tbody tr")).to_have_text("D-steps21right")

    page.get_by_role("button", name="Another like this").click()
    expect(page.get_by_role("heading", name="D-steps, number 2")).to_be_focused()
    expect(said).to_be_empty()
    page.get_by_role("button", name="Next question").click()
    expect(page.locator("#p-question-head")).not_to_contain_text("D-steps")
    root = page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert root[0] <= root[1], "the page scrolls sideways"

    page.reload()
    expect(page.locator("#p-progress tbody tr")).to_have_text("D-steps21right", timeout=STARTED)
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Forget all of it").click()
    expect(page.locator("#p-progress")).to_be_hidden()
    assert (seen.outside, seen.complaints) == ([], [])


def test_the_keyboard_alone_practises_and_what_is_typed_is_shown_as_text(visit: Callable[..., Visit], addresses: dict[str, str]) -> None:
    page = started(visit(), f"{addresses['server']}/practice.html")
    page.locator("#p-cell").focus()
    page.keyboard.type("D")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="First, a forecast: D.")).to_be_focused()
    for _ in range(3):  # past the guess and its button
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="D-steps, number 1")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("39")
    page.keyboard.press("Enter")
    expect(page.locator("#p-said")).to_contain_text("✓ Right")
    assert page.locator("#p-said").get_attribute("role") == "status"

    typed = "<img src=x onerror=\"document.title='run'\">"
    answer(page, typed)
    expect(page.locator("#p-said")).to_contain_text(typed)
    assert page.locator("#p-said img").count() == 0
    assert page.title() != "run"


def _answered(page: Page, text: str) -> None:
    page.get_by_role("button", name="Go on without one").click()
    page.locator("#p-question input[type=text]").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator("#p-said")).to_contain_text("✗ Not right")


def test_two_tabs_keep_the_answers_of_both(visit: Callable[..., Visit], addresses: dict[str, str]) -> None:
    seen = visit()
    first = started(seen, f"{addresses['server']}/practice.html#D")
    second = first.context.new_page()
    second.goto(f"{addresses['server']}/practice.html#B")
    expect(second.locator("#p-draw")).to_be_enabled(timeout=STARTED)
    _answered(first, "1")
    _answered(second, "1 GB")
    for page in (first, second):
        for cell in "BD":
            expect(page.locator("#p-progress tbody tr", has_text=re.compile(rf"^{cell}-"))).to_have_count(1)


def test_everybody_can_practise(visit: Callable[..., Visit], addresses: dict[str, str], axe: str) -> None:
    page = started(visit("phone"), f"{addresses['server']}/practice.html#E")
    page.evaluate(axe)

    def check() -> None:
        for width, scheme in ((390, "light"), (390, "dark"), (1280, "light"), (1280, "dark")):
            page.set_viewport_size({"width": width, "height": 900})
            page.emulate_media(color_scheme=scheme)
            found = page.evaluate("() => axe.run()")
            assert found["passes"]
            assert [f"{v['id']}: {n['html'][:150]}" for v in found["violations"] for n in v["nodes"]] == []

    check()
    page.get_by_role("button", name="Go on without one").click()
    while not page.locator("#p-question fieldset").count():
        page.get_by_role("button", name="Next question").click()
        page.wait_for_timeout(300)
    for group in page.locator("#p-question fieldset").all():
        group.locator("label").first.click()
    page.get_by_role("button", name="Check my answer").click()
    expect(page.locator("#p-said h3")).to_be_visible()
    page.get_by_role("button", name="Hint 1 of 3").click()
    expect(page.locator("#p-hint-1")).to_be_visible()
    check()


def test_a_browser_that_keeps_nothing_says_so_and_goes_on(visit: Callable[..., Visit], addresses: dict[str, str]) -> None:
    seen = visit()
    seen.page.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no') } })")
    page = started(seen, f"{addresses['server']}/practice.html#D")
    expect(page.locator("#p-notice")).to_contain_text("This browser keeps nothing for this page")
    page.get_by_role("button", name="Go on without one").click()
    answer(page, "39")
    expect(page.locator("#p-said")).to_contain_text("✓ Right")
    expect(page.locator("#p-progress tbody tr")).to_have_count(1)


def test_progress_that_cannot_be_read_is_said(visit: Callable[..., Visit], addresses: dict[str, str]) -> None:
    seen = visit()
    seen.page.add_init_script("localStorage.setItem('fsdp_sym-progress', '{')")
    page = started(seen, f"{addresses['server']}/practice.html")
    expect(page.locator("#p-notice")).to_contain_text("could not be read")


def test_opened_from_a_folder_it_names_the_command_that_serves_it(
    visit: Callable[..., Visit], addresses: dict[str, str], site: Path
) -> None:
    seen = visit()
    page = seen.go(f"{addresses['folder']}/practice.html")
    expect(page.locator("#p-from-folder pre")).to_have_text(f'python3 -m http.server --bind 127.0.0.1 --directory "{site}/"')
    expect(page.locator("#p-desk")).to_be_hidden()
    _elsewhere(page)
    assert (seen.outside, seen.complaints) == ([], [])


def test_without_webassembly_it_says_so(visit: Callable[..., Visit], addresses: dict[str, str]) -> None:
    seen = visit()
    seen.page.add_init_script("delete window.WebAssembly")
    page = seen.go(f"{addresses['server']}/practice.html")
    expect(page.locator("#p-unable")).to_contain_text("needs WebAssembly")
    expect(page.locator("#p-desk")).to_be_hidden()
    _elsewhere(page)


def test_without_scripts_it_says_so(visit: Callable[..., Visit], addresses: dict[str, str]) -> None:
    page = visit(java_script_enabled=False).page
    page.goto(f"{addresses['server']}/practice.html")
    expect(page.locator("noscript .p-notice")).to_be_visible()
    expect(page.locator("#p-desk")).to_be_hidden()
    _elsewhere(page)


def _elsewhere(page: Page) -> None:
    expect(page.get_by_role("link", name="a sheet of questions")).to_be_visible()
    expect(page.locator("a[href='_practice/D-practice.ipynb']")).to_be_visible()


def _in_the_page(page: Page, code: str, given: object) -> object:
    """What a piece of Python makes of `given` in the page's own Python, `desk` being the page's."""
    sent = b64encode(pickle.dumps(given)).decode()
    before = f"import base64, json, pickle\ngiven = pickle.loads(base64.b64decode('{sent}'))"
    whole = f"{before}\n{code}\nbase64.b64encode(pickle.dumps(made)).decode()"
    return pickle.loads(b64decode(page.workers[0].evaluate("code => python.runPython(code)", whole)))


def _table() -> list[tuple[object, object]]:
    """Every text of the table of answers, with what it is an answer to."""
    table = run_path(str(TABLE))
    rows = [(text, expects) for name in ("AMOUNTS", "ECHOES", "INVALID") for text, expects, *_ in table[name]]
    rows += [(text, table["FORMULA"]) for name in ("SAME", "OTHER") for text in table[name]]
    letters = tuple(sorted({s for _, truth in table["TYPED"] for s in truth.free_symbols}, key=str))
    rows += [(text, Symbolic(letters)) for text, _ in table["TYPED"]]
    for test, expects in (("test_a_triple", "SPLIT"), ("test_a_choice", "STAGE"), ("test_nothing_is_not_answered", "BYTES")):
        (texts,) = [mark.args[1] for mark in table[test].pytestmark if mark.args[0] == "text"]
        rows += [(text, table[expects]) for text in texts]
    return rows


def _asked(number: int, question: str) -> Iterator[tuple[object, ...]]:
    """One drill: it is put, answered rightly, wrongly in a known way, and unreadably; a thought is named and help taken."""
    seed = 1 + number // len(QUESTIONS)
    drill = pose(QUESTIONS[question], seed)
    right = [answer_text(key, part.expects) for key, part in zip(drill.keys, drill.posed.parts, strict=True)]
    rivals = drill.rivals()
    wrong = [answer_text(rivals[number % len(rivals)].value, drill.posed.parts[0].expects), *right[1:]] if rivals else ["1"]
    yield from [
        ("forget",),
        ("numbered", question, seed),
        ("answer", *wrong),
        ("thought", "a"),
        ("answer", *right),
        ("answer", "(", *right[1:]),
    ]
    yield from [("hint", 1), ("hint", 2), ("solution",), ("forecast", drill.posed.cell)]


def test_it_judges_as_python_does_outside_of_it(visit: Callable[..., Visit], addresses: dict[str, str], tmp_path: Path) -> None:
    page = started(visit(), f"{addresses['server']}/practice.html")
    rows = _table()
    assert len(rows) > 280
    there = _in_the_page(page, "from fsdp_sym.teaching.answers import read\nmade = [read(*row) for row in given]", rows)
    assert [row for row, made in zip(rows, there, strict=True) if read(*row) != made] == []

    desk = Desk(tmp_path)
    drills = list(enumerate(islice(cycle(QUESTIONS), DRILLS)))
    right = 0
    for start in range(0, DRILLS, AT_ONCE):
        asks = [ask for number, question in drills[start : start + AT_ONCE] for ask in _asked(number, question)]
        here = [desk.run(name, json.dumps(given)) for name, *given in asks]
        there = _in_the_page(page, "made = [desk.run(name, json.dumps(rest)) for name, *rest in given]", asks)
        assert [(ask, mine, theirs) for ask, mine, theirs in zip(asks, here, there, strict=True) if mine != theirs] == []
        right += sum(json.loads(made).get("verdict") == "right" for made in here)
    assert right >= DRILLS
    assert (tmp_path / FILE).exists()
