// What this browser keeps from one visit to the next: the progress, as the text of the file that Python writes, and the cells forecast.
const PROGRESS = "fsdp_sym-progress";
const FORECAST = "fsdp_sym-forecast";

export class Kept {
  // `refused` is called once, where the browser keeps nothing.
  constructor(refused) {
    this.refused = refused;
    this.forecast = new Set(this.forecasts());
  }

  get progress() { return this.get(PROGRESS) || ""; }
  set progress(text) { this.set(PROGRESS, text); }

  forecasts() { return (this.get(FORECAST) || "").split(" ").filter(Boolean); }

  // Those of another tab stay.
  forecastDone(cell) {
    this.forecast = new Set([...this.forecast, ...this.forecasts(), cell]);
    this.set(FORECAST, [...this.forecast].join(" "));
  }

  forget() {
    this.forecast.clear();
    this.set(FORECAST, "");
  }

  get(name) {
    try { return localStorage.getItem(name); } catch { return this.refuse(); }
  }

  set(name, text) {
    try { localStorage.setItem(name, text); } catch { this.refuse(); }
  }

  refuse() {
    this.refused?.();
    this.refused = undefined;
    return null;
  }
}
