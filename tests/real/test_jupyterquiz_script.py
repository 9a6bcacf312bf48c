"""The quiz in jupyterquiz's own script, run by Node with just enough of a page for it, against `diagnose`."""

from __future__ import annotations

import json
import subprocess
from fractions import Fraction
from importlib.resources import files

import jupyterquiz

from fsdp_sym.publishing.exporters import EXPORTERS
from fsdp_sym.publishing.exporters.answer_text import in_unit
from fsdp_sym.publishing.exporters.form import Bank
from fsdp_sym.publishing.exporters.wrong_answers import judged
from fsdp_sym.teaching.answers import Choice, Quantity
from fsdp_sym.teaching.drills import QUESTIONS, pose

QUIZ = EXPORTERS["jupyterquiz"]
# Of the page the script needs an input with its answers and a place for the feedback.
PAGE = """
console.log = () => {};
const lines = require("fs").readFileSync(0, "utf8").trim().split("\\n").map(x => JSON.parse(x));
const place = () => ({style: {}, className: "", classList: {add(name) { this.last = name; }}, parentElement: {parentElement: {id: ""}}});
const said = lines.map(([answers, typed]) => {
    const feedback = place();
    globalThis.document = {getElementById: name => name.startsWith("fb") ? feedback : null};
    const input = {...place(), id: "q-0", value: typed, dataset: {answers: JSON.stringify(answers)}, blur() {}, closest() { return null; }};
    check_numeric(input, {keyCode: 13});
    return [feedback.classList.last, feedback.innerHTML];
});
process.stdout.write(JSON.stringify(said));
"""


def scripts(*names):
    return "\n".join((files(jupyterquiz) / "js" / name).read_text() for name in names)


def test_its_script_gives_the_verdicts_of_diagnose():
    asked, expected = [], []
    for question in (q for q in QUESTIONS.values() if q.kind in QUIZ.kinds):
        drill = pose(question, 5)
        items = json.loads(QUIZ.export(Bank("a bank", ((drill,),)))["self-study.json"])
        for at, (part, item) in enumerate(zip(drill.posed.parts, items, strict=True)):
            if isinstance(part.expects, Choice):
                continue
            unit = part.expects.unit if isinstance(part.expects, Quantity) else ""
            values = [drill.keys[at], *(r.value for r in drill.rivals(at)), Fraction(drill.keys[at]) * Fraction(101, 100)]
            for value in values:
                typed = str(value) if Fraction(value).denominator != 1 and not unit else f"{float(in_unit(value, unit)):.6g}"
                asked.append(json.dumps([item["answers"], typed]))
                expected.append((judged(drill, at, f"{typed} {unit}").verdict == "right", shown(item, typed)))
    script = scripts("helpers.js", "numeric.js") + PAGE
    done = subprocess.run(["node", "-e", script], input="\n".join(asked), capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert len(found) == len(expected) > 500
    for (mark, says), (right, told) in zip(found, expected, strict=True):
        assert (mark == "correct") == right
        assert says == told


def shown(item, typed):
    """The feedback of the first range or value that holds the number."""
    number = float(Fraction(typed))
    for answer in item["answers"]:
        if answer.get("value") == number or ("range" in answer and answer["range"][0] <= number < answer["range"][1]):
            return answer["feedback"]
    return item["answers"][-1]["feedback"]
