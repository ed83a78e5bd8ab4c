// The keyboard's place in a text: arrows move it, Shift extends the selection, Space begins one, Escape gives it up.

export class Caret {
  constructor(markable) {
    this.text = markable;
    this.stops = markable.units.map((unit, i) => ({ ...unit, i })).filter((unit) => !unit.space);
    this.at = 0;
    this.anchor = null;
    markable.element.addEventListener("keydown", (event) => this.pressed(event));
    markable.element.addEventListener("focus", () => this.show());
  }

  show() {
    const { element, pieces } = this.text;
    element.querySelector(".caret")?.classList.remove("caret");
    const stop = this.stops[this.at];
    if (!stop) return;
    pieces[stop.i].classList.add("caret");
    element.setAttribute("aria-activedescendant", pieces[stop.i].id);
  }

  moveTo(offset) {
    const found = this.stops.findIndex((stop) => stop.end > offset);
    this.at = found < 0 ? Math.max(this.stops.length - 1, 0) : found;
    this.anchor = null;
    this.show();
  }

  /** The range of the stop at which the caret is. */
  here() {
    const stop = this.stops[this.at];
    return stop ? { start: stop.start, end: stop.end } : null;
  }

  pressed(event) {
    if (event.altKey || event.metaKey) return;
    const target = this.targetOf(event);
    if (target !== null) this.move(target, event.shiftKey);
    else if (!this.act(event) && !this.text.options.key(event)) return;
    event.preventDefault();
  }

  act(event) {
    const { range } = this.text;
    if (event.key === " ") this.move(this.at, true);
    else if (event.key === "Escape" && range) this.giveUp();
    else return false;
    return true;
  }

  move(target, extend) {
    if (this.stops.length === 0) return;
    if (extend) {
      this.anchor ??= this.at;
      this.at = target;
      const [first, last] = [this.anchor, target].sort((a, b) => a - b);
      this.text.choose({ start: this.stops[first].start, end: this.stops[last].end });
    } else {
      this.at = target;
      if (this.text.range) this.giveUp();
      this.anchor = null;
    }
    this.show();
    this.text.pieces[this.stops[this.at].i].scrollIntoView({ block: "nearest" });
  }

  giveUp() {
    this.anchor = null;
    this.text.choose(null);
  }

  markHere() {
    const here = this.here();
    return here && this.text.marksAt(here.start, here.end).at(-1);
  }

  /** Where a key leads, or null if it does not move the caret. */
  targetOf(event) {
    const last = this.stops.length - 1;
    const rightToLeft = getComputedStyle(this.text.element).direction === "rtl";
    const forward = rightToLeft ? "ArrowLeft" : "ArrowRight";
    const backward = rightToLeft ? "ArrowRight" : "ArrowLeft";
    if (event.key === forward) return event.ctrlKey ? this.wordFrom(1) : Math.min(this.at + 1, last);
    if (event.key === backward) return event.ctrlKey ? this.wordFrom(-1) : Math.max(this.at - 1, 0);
    if (event.key === "Home") return 0;
    if (event.key === "End") return last;
    if (event.key === "ArrowDown") return this.onLine(1);
    if (event.key === "ArrowUp") return this.onLine(-1);
    return null;
  }

  /** The first stop of the next or of the previous word. */
  wordFrom(direction) {
    const starts = this.text.words.filter((word) => !word.space).map((word) => word.start);
    const here = this.stops[this.at]?.start ?? 0;
    const target = direction > 0 ? starts.find((start) => start > here) : starts.filter((start) => start < here).at(-1);
    if (target === undefined) return direction > 0 ? this.stops.length - 1 : 0;
    return this.stops.findIndex((stop) => stop.end > target);
  }

  /** The stop on the line below or above that is nearest to the caret. */
  onLine(direction) {
    const box = (at) => this.text.pieces[this.stops[at].i].getBoundingClientRect();
    const here = box(this.at);
    const beyond = (one) => direction * (one.top - here.top) > here.height / 2;
    let best = null;
    for (let at = this.at + direction; at >= 0 && at < this.stops.length; at += direction) {
      const one = box(at);
      if (!beyond(one)) continue;
      if (best && Math.abs(one.top - best.box.top) > here.height / 2) break;
      if (!best || Math.abs(one.left - here.left) < Math.abs(best.box.left - here.left)) best = { at, box: one };
    }
    return best?.at ?? (direction > 0 ? this.stops.length - 1 : 0);
  }
}
