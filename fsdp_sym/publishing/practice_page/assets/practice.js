// The course of practice: Python starts, a question is drawn, forecast, answered, diagnosed; progress is kept.
import { at, card, field, make } from "./elements.js";
import { Kept } from "./kept.js";
import { showProgress } from "./progress.js";
import { Python } from "./python.js";
import { showStage } from "./stages.js";

const cell = at("p-cell");
const lessons = new Map([...cell.options].filter((option) => option.value).map((option) => [option.value, option]));

function notice(text) {
  at("p-notice").textContent = text;
  at("p-notice").hidden = !text;
}

const python = new Python((stage) => showStage(stage));

// Python does one thing after another. A second click while it works for the first is not heard; what another tab has kept waits its turn.
let turn = Promise.resolve();
let busy = false;
function after(work) {
  turn = turn.then(work).catch((error) => notice(error.message));
  return turn;
}
async function alone(work) {
  if (busy) return;
  busy = true;
  await after(work);
  busy = false;
}

const kept = new Kept(
  () => notice("This browser keeps nothing for this page, so your progress ends when you leave it. All else works."),
  () => after(takeUp),
);

const shown = (section, ...children) => {
  section.replaceChildren(...children);
  section.hidden = !children.length;
};

// Another tab may have gone on since: its answers are taken up before anything is asked.
let known;
async function takeUp() {
  for (let text = await kept.progress(); text !== known; text = await kept.progress()) {
    const restored = await python.ask("restore", text);
    known = text;
    if (restored.lost) notice("The progress that this browser kept could not be read. This visit begins anew.");
    showProgress(restored, forget);
  }
}

async function ask(name, ...given) {
  await takeUp();
  return python.ask(name, ...given);
}

// Where another tab has gone on while Python worked, the same is asked again of what that tab kept.
async function askAndKeep(name, ...given) {
  let answer;
  do answer = await ask(name, ...given); while (!(await kept.goOn(known, answer.file)));
  known = answer.file;
  showProgress(answer, forget);
  return answer;
}

function forget() {
  if (!confirm("Forget every answer that this browser keeps?")) return;
  alone(async () => {
    const answer = await ask("forget");
    await kept.beginAnew(answer.file);
    known = answer.file;
    showProgress(answer, forget);
  });
}

// A question, behind the forecast of its cell where that was not made yet. `moved` is whether somebody asked for it, and looks for it.
async function put(drawn, moved) {
  at("p-said").replaceChildren();
  at("p-help").replaceChildren();
  shown(at("p-forecast"));
  shown(at("p-question"));
  const forecast = (await kept.isForecast(drawn.cell)) ? {} : await ask("forecast", drawn.cell);
  if (forecast.prompt) putForecast(forecast, drawn, moved);
  else putQuestion(drawn, moved);
}

function putForecast({ prompt, example, options }, drawn, moved) {
  const guess = field({ id: "p-guess", label: "", how: "Your forecast, before any number appears", options, example: `such as ${example}` });
  const said = make("p", { role: "status" });
  const on = () => {
    kept.forecastDone(drawn.cell);
    putQuestion(drawn, true);
  };
  const keep = make("button", { type: "submit", class: "p-first", text: "Keep my forecast" });
  const skip = make("button", { type: "button", text: "Go on without one", onclick: () => { shown(at("p-forecast")); on(); } });
  const form = make("form", { onsubmit: (event) => {
    event.preventDefault();
    alone(async () => {
      const answer = await ask("guess", drawn.cell, guess.value());
      if (!answer.kept) { said.textContent = answer.said; return; }
      form.replaceChildren(make("p", { class: "p-truth", text: answer.truth }));
      on();
    });
  } }, guess.element, make("div", { class: "p-buttons" }, keep, skip), said);
  const head = make("h2", { id: "p-forecast-head", tabindex: "-1", text: `First, a forecast: ${lessons.get(drawn.cell).text}` });
  shown(at("p-forecast"), head, make("p", { text: prompt }), form);
  if (moved) head.focus();
}

function putQuestion(drawn, moved) {
  const fields = drawn.parts.map(({ label, ask, options }, number) => field({ id: `p-answer-${number}`, label, how: ask, options }));
  let hints = 0;
  let tried = false;
  const hint = make("button", { type: "button", text: "Hint 1 of 3", onclick: () => alone(async () => {
    const wanted = Math.min(hints + 1, 3);
    const { card: data } = await ask("hint", wanted);
    if (wanted > hints && !(wanted === 3 && !tried)) hints = wanted;
    const old = at(`p-hint-${wanted}`);
    const made = make("div", { id: `p-hint-${wanted}` }, card(data));
    if (old) old.replaceWith(made); else at("p-help").append(made);
    hint.textContent = `Hint ${Math.min(hints + 1, 3)} of 3`;
    hint.hidden = hints === 3;
  }) });
  const worked = make("button", { type: "button", text: "Worked answer, after an attempt", onclick: () => alone(async () => {
    const { card: data } = await ask("solution");
    const made = make("div", { id: "p-worked" }, card(data));
    if (at("p-worked")) at("p-worked").replaceWith(made); else at("p-help").append(made);
  }) });
  const another = make("button", { type: "button", text: "Another like this", onclick: () => alone(async () => putQuestion(await ask("another"), true)) });
  const next = make("button", { type: "button", text: "Next question", onclick: () => alone(draw) });
  const check = make("button", { type: "submit", class: "p-first", text: "Check my answer" });
  const form = make("form", { onsubmit: (event) => {
    event.preventDefault();
    alone(async () => {
      const answer = await askAndKeep("answer", ...fields.map((one) => one.value()));
      at("p-said").replaceChildren(card(answer.card), ...thoughts(answer.letters));
      tried = answer.tried;
      if (tried) worked.textContent = "Worked answer";
      at("p-said").scrollIntoView({ block: "nearest" });
    });
  } }, ...fields.map((one) => one.element), make("div", { class: "p-buttons" }, check, hint, worked, another, next));
  const lesson = lessons.get(drawn.cell);
  const head = make("h2", { id: "p-question-head", tabindex: "-1", text: drawn.name });
  const from = make("p", { class: "p-quiet" }, `${drawn.kind}, from `, make("a", { href: lesson.dataset.lesson, text: lesson.text }));
  at("p-said").replaceChildren();
  at("p-help").replaceChildren();
  shown(at("p-question"), head, from, make("p", { class: "p-prompt", text: drawn.prompt }), ...given(drawn), form);
  if (moved) head.focus();
}

function given({ givens, lines }) {
  const rows = givens.map(([name, value, says]) => make("div", {}, make("dt", {}, make("code", { text: name }), ` = ${value}`), make("dd", { text: says })));
  const found = rows.length ? [make("dl", { class: "p-givens" }, ...rows)] : [];
  return lines.length ? [...found, make("div", { class: "p-lines" }, ...lines.map((text) => make("p", { text })))] : found;
}

// Where several thoughts lead to an answer, which was it?
function thoughts(letters) {
  if (!letters.length) return [];
  const buttons = letters.map((letter) => make("button", { type: "button", "aria-label": `Thought ${letter}`, text: letter, onclick: () => alone(async () => {
    const answer = await askAndKeep("thought", letter);
    row.replaceWith(card(answer.card));
  }) }));
  const row = make("div", { class: "p-buttons" }, ...buttons);
  return [row];
}

const draw = async () => put(await ask("draw", cell.value || null), true);

at("p-choose").addEventListener("submit", (event) => {
  event.preventDefault();
  alone(draw);
});

alone(async () => {
  const named = decodeURIComponent(location.hash.slice(1));
  if (lessons.has(named)) cell.value = named;
  await put(await ask("draw", cell.value || null), false);
  at("p-loading").hidden = true;
  at("p-draw").disabled = false;
});
