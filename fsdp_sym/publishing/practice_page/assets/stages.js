// The bar that shows how far Python is. Each stage has its share of the way, as it was measured once.
import { at } from "./elements.js";

const STAGES = {
  fetch: { from: 0, to: 40, says: "Fetching Python and SymPy" },
  start: { from: 40, to: 45, says: "Starting Python" },
  unpack: { from: 50, to: 55, says: "Unpacking SymPy" },
  import: { from: 55, to: 95, says: "Loading SymPy and the questions" },
  ready: { from: 95, to: 100, says: "Drawing a question" },
};

export function showStage({ stage, done = 0, all = 1, why }) {
  if (stage === "failed") {
    at("p-bar").hidden = true;
    at("p-stage").textContent = `Python could not be started in this browser (${why}). The same questions are in the notebooks and on paper, below.`;
    return;
  }
  const { from, to, says } = STAGES[stage];
  const text = `${says} …`;
  // Said only when it changes: the text is read out.
  if (at("p-stage").textContent !== text) at("p-stage").textContent = text;
  at("p-bar").value = Math.max(at("p-bar").value, from + (to - from) * Math.min(done / all, 1));
}
