// The page's side of the thread in which Python runs: stages while it starts, then a question and its answer.
export class Python {
  constructor(onStage) {
    this.waiting = new Map();
    this.next = 0;
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", ({ data }) => (data.stage ? onStage(data) : this.settle(data)));
    this.worker.addEventListener("error", (event) => onStage({ stage: "failed", why: event.message || "a script could not be loaded" }));
  }

  // Ask the bridge: `draw`, `answer`, ... with plain data, and get plain data.
  ask(name, ...given) {
    return new Promise((settled, failed) => {
      this.waiting.set(this.next, { settled, failed });
      this.worker.postMessage({ id: this.next++, name, given });
    });
  }

  settle({ id, answer, failed }) {
    const asked = this.waiting.get(id);
    this.waiting.delete(id);
    if (failed) asked.failed(new Error(failed));
    else if (answer.refused) asked.failed(new Error(answer.refused));
    else asked.settled(answer);
  }
}
