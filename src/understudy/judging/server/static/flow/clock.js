// Seconds that a step was on the screen: time in which the tab was hidden does not count.

export class Clock {
  constructor() {
    this.before = 0;
    this.since = document.hidden ? null : performance.now();
    this.listener = () => this.turn();
    document.addEventListener("visibilitychange", this.listener);
  }

  seconds() {
    const running = this.since === null ? 0 : performance.now() - this.since;
    return Math.round((this.before + running) / 100) / 10;
  }

  stop() {
    document.removeEventListener("visibilitychange", this.listener);
  }

  turn() {
    if (document.hidden && this.since !== null) {
      this.before += performance.now() - this.since;
      this.since = null;
    } else if (!document.hidden && this.since === null) {
      this.since = performance.now();
    }
  }
}
