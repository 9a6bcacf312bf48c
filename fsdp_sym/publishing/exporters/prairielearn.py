"""Drills -> PrairieLearn: a folder a question, whose server poses a variant from its seed and judges with `diagnose`.

Nothing is drawn at export: of a bank only the questions are taken, not their variants, since PrairieLearn draws a seed for
every student. What stands in a folder is the question's id and no number, so that every verdict is this package's own; the
machine that runs the course's Python must have the package, and the ``README.md`` beside the questions says how.

In ``question.html`` every text is put in by Mustache's two braces, which escape; three would not. Both what a student typed
and what is said of it pass through them.
"""

from __future__ import annotations

import json
import uuid
from typing import Final

from ...algebra.errors import FsdpSymError
from ...scenarios.cells import CELLS
from ...teaching.drills import KINDS, Posed
from .form import Bank, Exporter

_FOLDER: Final = "questions/fsdp_sym"

_SERVER: Final = '''\
"""The question {id} of fsdp_sym, which must be installed where PrairieLearn runs this: see README.md beside the questions."""

from fsdp_sym.publishing.prairielearn_server import generate_question, grade, parse, test

__all__ = ["generate", "grade", "parse", "test"]


def generate(data):
    generate_question(data, "{id}")
'''

_HTML: Final = """\
<div class="mathjax_ignore">
  <pl-question-panel>
    <p>{{params.prompt}}</p>
    {{#params.lines}}
    <p>{{.}}</p>
    {{/params.lines}}
  </pl-question-panel>
  {{#params.parts}}
  <pl-question-panel>
    <p>{{ask}}</p>
  </pl-question-panel>
  {{#chosen}}
  <pl-multiple-choice answers-name="{{name}}" order="fixed" display="block" hide-letter-keys="true" allow-blank="true">
    {{#choices}}
    <pl-answer correct="{{correct}}">{{text}}</pl-answer>
    {{/choices}}
  </pl-multiple-choice>
  {{/chosen}}
  {{^chosen}}
  <pl-string-input answers-name="{{name}}" aria-label="{{says}}" display="block" size="40" show-help-text="false" allow-blank="true">
  </pl-string-input>
  {{/chosen}}
  {{/params.parts}}
  <pl-submission-panel>
    {{#feedback.lines}}
    <p>{{.}}</p>
    {{/feedback.lines}}
  </pl-submission-panel>
  <pl-answer-panel>
    {{#correct_answers.solution}}
    <p>{{.}}</p>
    {{/correct_answers.solution}}
  </pl-answer-panel>
</div>
"""

_README: Final = f"""\
# Questions for PrairieLearn

`{_FOLDER}` holds a folder for each question. Copy `questions` over the `questions` folder of your course and load the course
from disk: the questions appear with the ids `fsdp_sym/...`, a topic for each lesson and a tag for each kind of question.

## The package must be there

Each `server.py` imports `fsdp_sym`, which poses the question and judges the answer. It needs Python 3.11 or newer. Either

* put it into the course, so that every worker finds it: in a shell inside the `prairielearn/prairielearn` image, with your course at
  `/course` and a clone of fsdp_sym at `/fsdp_sym`, run `pip3 install --target /course/serverFilesCourse /fsdp_sym`; or
* have it installed into the image that your server runs.

Questions of a course folder of your own need that folder too: set `FSDP_SYM_COURSE` in the image to where it lies.

## What to expect

* A variant is posed from PrairieLearn's seed for it. What was drawn is kept with the variant, so that a new version of the package
  judges an old variant as it was posed.
* Answers are typed as on a sheet (`525 MB`, `0.525 GB`, `(N-1)/N*S`). One that cannot be read is invalid and costs no attempt.
* Of several parts each earns its share, and an error that is carried forward is marked once.
* The question page has "Test" buttons for instructors; each question answers itself right, wrong and unreadably.
"""


def _files(bank: Bank) -> dict[str, bytes]:
    files = {"README.md": _README.encode()}
    for variants in bank.questions:
        posed = variants[0].posed
        folder = f"{_FOLDER}/{_safe(posed.question)}"
        files[f"{folder}/info.json"] = (json.dumps(_info(posed), indent=2, ensure_ascii=False) + "\n").encode()
        files[f"{folder}/question.html"] = _HTML.encode()
        files[f"{folder}/server.py"] = _SERVER.format(id=posed.question).encode()
    return files


def _info(posed: Posed) -> dict[str, object]:
    # The id never depends on numbers, nor on when or where it is made: a second export updates the question in place.
    return {
        "uuid": str(uuid.uuid5(uuid.NAMESPACE_OID, f"fsdp_sym question {posed.question}")),
        "title": posed.question,
        "topic": f"{posed.cell}. {CELLS[posed.cell].title}",
        "tags": ["fsdp_sym", posed.kind],
        "type": "v3",
    }


def _safe(question: str) -> str:
    """The id as it stands in a path and in Python: letters, digits, hyphens and underscores alone."""
    if not question.replace("-", "").replace("_", "").isalnum() or not question.isascii():
        raise FsdpSymError(f"prairielearn: the question id {question!r} cannot name a folder: use letters, digits and hyphens")
    return question


PRAIRIELEARN = Exporter(
    "prairielearn",
    "a folder a question for PrairieLearn, which judges with this package",
    frozenset(KINDS),
    frozenset({"right", "wrong", "close", "invalid", "not answered"}),
    self_study=False,
    files=_files,
)
