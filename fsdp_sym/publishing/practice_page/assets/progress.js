// What was tried so far, as a small table.
import { at, make } from "./elements.js";

const COLUMNS = [["question", "Question"], ["answers", "Answers"], ["right", "Right"], ["last", "The last one"]];

export function showProgress({ table, due }, forget) {
  const section = at("p-progress");
  section.hidden = !table.length;
  if (!table.length) return section.replaceChildren();
  const head = make("tr", {}, ...COLUMNS.map(([, title]) => make("th", { scope: "col", text: title })));
  const rows = table.map((row) => make("tr", {}, make("th", { scope: "row", text: row.question }), ...COLUMNS.slice(1).map(([name]) => make("td", { text: row[name] }))));
  const again = due ? [make("p", { text: `Missed, and due again: ${due}.` })] : [];
  section.replaceChildren(
    make("h2", { id: "p-progress-head", text: "So far" }), ...again,
    make("div", { class: "table-wrapper", tabindex: "0", role: "group", "aria-label": "What was tried" }, make("table", { class: "docutils" }, make("thead", {}, head), make("tbody", {}, ...rows))),
    make("p", { class: "p-quiet", text: "Kept in this browser alone." }),
    make("button", { type: "button", text: "Forget all of it", onclick: forget }),
  );
}
