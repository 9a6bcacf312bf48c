// What this browser keeps from one visit to the next: the progress, as the text of the file that Python writes, and the cells forecast.
// All tabs share it. A text is read and replaced in one transaction, which no other tab comes between: of two tabs that answer at the
// same moment, neither writes over the other.
const PROGRESS = "progress";
const FORECAST = "forecast";
const STORE = "kept";

const opened = () => new Promise((done, failed) => {
  const opening = indexedDB.open("fsdp_sym", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  opening.onsuccess = () => done(opening.result);
  opening.onerror = () => failed(opening.error);
});

export class Kept {
  // `refused` is called once, where the browser keeps nothing; `changed`, when another tab has kept something.
  constructor(refused, changed) {
    this.own = new Map(); // what this tab alone knows, where the browser keeps nothing
    this.refuse = () => { this.base = null; refused(); };
    this.base = opened().catch(this.refuse);
    this.others = new BroadcastChannel("fsdp_sym");
    this.others.addEventListener("message", changed);
  }

  progress() { return this.change(PROGRESS, (text) => text); }

  // Keep a progress that went on from one that was seen; false where it is no longer that one which is kept.
  async goOn(seen, text) { return (await this.change(PROGRESS, (now) => (now === seen ? text : now))) === seen; }

  async isForecast(cell) { return (await this.change(FORECAST, (cells) => cells)).split(" ").includes(cell); }

  forecastDone(cell) { return this.change(FORECAST, (cells) => `${cells} ${cell}`); }

  async beginAnew(text) {
    await this.change(FORECAST, () => "");
    await this.change(PROGRESS, () => text);
  }

  // The text that stood under a name; in the same step `by` has made of it the one that stands there now.
  async change(name, by) {
    const base = await this.base;
    if (!base) {
      const before = this.own.get(name) ?? "";
      this.own.set(name, by(before));
      return before;
    }
    return new Promise((done) => {
      const step = base.transaction(STORE, "readwrite");
      const asked = step.objectStore(STORE).get(name);
      let before, after;
      asked.onsuccess = () => {
        before = asked.result ?? "";
        after = by(before);
        if (after !== before) step.objectStore(STORE).put(after, name);
      };
      step.oncomplete = () => {
        if (after !== before) this.others.postMessage(name);
        done(before);
      };
      step.onabort = () => { this.refuse(); done(this.change(name, by)); };
    });
  }
}
