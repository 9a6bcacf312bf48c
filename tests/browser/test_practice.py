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
from playwright.sync_api import Browser, Page, expect
from visits import Visit, opened_by

from fsdp_sym.publishing.exporters.answer_text import answer_text
from fsdp_sym.publishing.practice_page.bridge import Desk
from fsdp_sym.teaching.answers import Symbolic, read
from fsdp_sym.teaching.drills import QUESTIONS, pose
from fsdp_sym.teaching.progress import FILE

TABLE = Path(__file__).parents[1] / "teaching" / "answers" / "test_reading_table.py"
DRILLS = 1000
AT_ONCE = 50
KEEP = """text => new Promise(done => {
  const opening = indexedDB.open("fsdp_sym", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("kept").put(text, "progress");
  opening.onsuccess = () => { opening.result.close(); done(); };
})"""
STARTED = 90_000  # far more than it takes: how long that is, is measured elsewhere


def started(seen: Visit, address: str) -> Page:
    """The page with its first question or forecast."""
    return drawn(seen.go(address))


def drawn(page: Page) -> Page:
    expect(page.locator("#p-draw")).to_be_enabled(timeout=STARTED)
    return page


def answer(page: Page, text: str) -> None:
    page.get_by_label("Give a whole number.").fill(text)
    page.keyboard.press("Enter")


@pytest.fixture(scope="module")
def practising(browser: Browser, addresses: dict[str, str]) -> Iterator[Visit]:
    """A page that has started, and stays open."""
    seen = opened_by(browser, reduced_motion="reduce")
    started(seen, f"{addresses['server']}/practice.html#D")
    yield seen
    seen.page.context.close()


@pytest.fixture
def waiting(practising: Visit, opened: list[Page]) -> Visit:
    """That page, for what does not mind what was asked before."""
    opened.append(practising.page)
    return practising


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


def _asked(number: int, question: str, seed: int) -> Iterator[tuple[object, ...]]:
    """One drill: it is put, answered rightly, wrongly in a known way, and unreadably; a thought is named and help taken."""
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


def test_it_reads_as_python_does_outside_of_it(waiting: Visit) -> None:
    rows = _table()
    assert len(rows) > 280
    there = _in_the_page(waiting.page, "from fsdp_sym.teaching.answers import read\nmade = [read(*row) for row in given]", rows)
    assert [row for row, made in zip(rows, there, strict=True) if read(*row) != made] == []


@pytest.mark.parametrize("half", [0, 1])  # for two workers, since it takes longest
def test_it_judges_as_python_does_outside_of_it(waiting: Visit, tmp_path: Path, half: int) -> None:
    page = waiting.page
    desk = Desk(tmp_path)
    questions = list(QUESTIONS)[half::2]
    drills = list(enumerate(islice(cycle(questions), DRILLS // 2)))
    right = 0
    for start in range(0, len(drills), AT_ONCE):
        some = drills[start : start + AT_ONCE]
        asks = [ask for number, question in some for ask in _asked(number, question, 1 + number // len(questions))]
        here = [desk.run(name, json.dumps(given)) for name, *given in asks]
        there = _in_the_page(page, "made = [desk.run(name, json.dumps(rest)) for name, *rest in given]", asks)
        assert [(ask, mine, theirs) for ask, mine, theirs in zip(asks, here, there, strict=True) if mine != theirs] == []
        right += sum(json.loads(made).get("verdict") == "right" for made in here)
    assert right >= len(drills)
    assert (tmp_path / FILE).exists()
    _in_the_page(page, "made = desk.run('forget', '[]')", None)  # the page did not ask any of this, and goes on from nothing


def test_a_student_takes_n_for_n_minus_1_is_told_so_and_finds_the_answer(visit: Callable[..., Visit], addresses: dict[str, str]) -> None:
    seen = visit()
    seen.go(f"{addresses['server']}/lessons/D-communication-volume.html")
    seen.page.locator("a[href$='practice.html#D']").click()
    page = drawn(seen.page)
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
    imported = _in_the_page(page, "import sys\nmade = sum(name.startswith('fsdp_sym.formulas.') for name in sys.modules)", None)
    assert imported < 50, "a first question waits for formulas that it does not ask for"
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
    assert (seen.outside, seen.complaints) == ([], [])


def test_on_a_phone_the_keyboard_alone_does_so_too(visit: Callable[..., Visit], addresses: dict[str, str]) -> None:
    seen = visit("phone")
    seen.go(f"{addresses['server']}/notation.html").evaluate(KEEP, "{")
    page = started(seen, f"{addresses['server']}/practice.html")
    expect(page.locator("#p-notice")).to_contain_text("could not be read")
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
    page.keyboard.type("40")
    page.keyboard.press("Enter")
    said = page.locator("#p-said")
    expect(said).to_contain_text("one fewer than there are ranks")
    assert said.get_attribute("role") == "status"
    page.keyboard.press("Control+A")
    page.keyboard.type("39")
    page.keyboard.press("Enter")
    expect(said).to_contain_text("✓ Right")
    for _ in range(3):  # past the check and the hint
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#p-worked")).to_contain_text("40 - 1 = 39")
    root = page.evaluate("() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert root[0] <= root[1], "the page scrolls sideways"


def _question(page: Page, cell: str) -> Page:
    """The page with a question of a cell, past its forecast."""
    page.bring_to_front()
    page.locator("#p-cell").select_option(cell)
    page.get_by_role("button", name="Draw a question").click()
    expect(page.locator("#p-forecast h2:focus, #p-question h2:focus")).to_contain_text(cell)  # the new one, not the one before
    if page.get_by_role("button", name="Go on without one").is_visible():
        page.get_by_role("button", name="Go on without one").click()
    expect(page.locator("#p-question h2")).to_contain_text(f"{cell}-")
    return page


def _filled(page: Page) -> None:
    """The right answer to the question that stands there."""
    name, seed = (page.locator("#p-question h2").text_content() or "").split(", number ")
    drill = pose(QUESTIONS[name], int(seed))
    for number, (key, part) in enumerate(zip(drill.keys, drill.posed.parts, strict=True)):
        text = answer_text(key, part.expects)
        field = page.locator("#p-question .p-field").nth(number)
        if field.locator("input[type=radio]").count():
            field.get_by_label(text, exact=True).check()
        else:
            field.locator("input").fill(text)


def _answered(page: Page) -> None:
    _filled(page)
    page.get_by_role("button", name="Check my answer").click()
    expect(page.locator("#p-said h3")).to_be_visible()


def test_what_is_typed_is_shown_as_text(waiting: Visit) -> None:
    page = _question(waiting.page, "D")
    typed = "<img src=x onerror=\"document.title='run'\">"
    page.locator("#p-question input[type=text]").fill(typed)
    page.keyboard.press("Enter")
    expect(page.locator("#p-said")).to_contain_text(typed)
    assert page.locator("#p-said img").count() == 0
    assert page.title() != "run"


def test_everybody_can_practise(waiting: Visit, axe: str) -> None:
    page = waiting.page

    def check() -> None:
        for width, scheme in (("phone", "light"), ("desktop", "dark")):
            waiting.look(width, scheme)
            assert waiting.barriers(axe) == []

    page.locator("#p-cell").select_option("E")
    page.get_by_role("button", name="Draw a question").click()
    expect(page.get_by_role("heading", name="First, a forecast: E.")).to_be_visible()
    check()
    page.get_by_role("button", name="Go on without one").click()
    while not page.locator("#p-question fieldset").count():
        before = page.locator("#p-question-head").text_content()
        page.get_by_role("button", name="Next question").click()
        expect(page.locator("#p-question-head")).not_to_have_text(before or "")
    for group in page.locator("#p-question fieldset").all():
        group.locator("label").first.click()
    page.get_by_role("button", name="Check my answer").click()
    expect(page.locator("#p-said h3")).to_be_visible()
    page.get_by_role("button", name="Hint 1 of 3").click()
    expect(page.locator("#p-hint-1")).to_be_visible()
    check()


def _slowed(page: Page) -> None:
    """Python takes its time over the next answer, so that two tabs are at it together."""
    _in_the_page(page, """
import time
plain = desk.asks["answer"]
def slow(*texts):
    desk.asks["answer"] = plain
    made = plain(*texts)
    time.sleep(given)
    return made
desk.asks["answer"] = slow
made = None
""", 1.0)  # fmt: skip


def test_two_tabs_keep_the_answers_of_both_and_forget_together(waiting: Visit, addresses: dict[str, str]) -> None:
    first = waiting.page
    _answered(_question(first, "D"))
    second = first.context.new_page()
    second.goto(f"{addresses['server']}/practice.html#B")
    rows = {cell: [page.locator("#p-progress tbody th", has_text=re.compile(f"^{cell}-")) for page in (first, second)] for cell in "DBF"}
    expect(rows["D"][1]).to_have_count(1, timeout=STARTED)  # what was kept is there at the next visit
    for page, cell in ((first, "F"), (second, "B")):
        _filled(_question(page, cell))
        _slowed(page)
    for page in (first, second):  # at once: neither has seen what the other keeps
        page.get_by_role("button", name="Check my answer").dispatch_event("click")
    for shown in (*rows["D"], *rows["B"], *rows["F"]):
        expect(shown).to_have_count(1, timeout=STARTED)
    first.once("dialog", lambda dialog: dialog.accept())
    first.get_by_role("button", name="Forget all of it").click()
    for page in (first, second):
        expect(page.locator("#p-progress")).to_be_hidden()
    second.close()


def test_a_browser_that_keeps_nothing_says_so_and_goes_on(visit: Callable[..., Visit], addresses: dict[str, str]) -> None:
    seen = visit()
    seen.page.add_init_script("Object.defineProperty(window, 'indexedDB', { get() { throw new DOMException('no') } })")
    page = started(seen, f"{addresses['server']}/practice.html#D")
    expect(page.locator("#p-notice")).to_contain_text("This browser keeps nothing for this page")
    page.get_by_role("button", name="Go on without one").click()
    answer(page, "39")
    expect(page.locator("#p-said")).to_contain_text("✓ Right")
    expect(page.locator("#p-progress tbody tr")).to_have_count(1)


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
