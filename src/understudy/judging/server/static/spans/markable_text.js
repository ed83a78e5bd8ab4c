// A text in which a judge selects a range: by dragging, by tapping its first and last word, or with the keyboard.
// It is a list box of words or characters, so that screen readers read each and pass its keys on.

import { freshId, h } from "../dom.js";
import { codePoints } from "./codepoints.js";
import { Caret } from "./caret.js";
import { snapped, unitsOf } from "./units.js";

export class MarkableText {
  /**
   * @param text      {text, lang, dir}
   * @param options   {by, label, describedBy, selected(range | null), opened(mark), key(event)}
   */
  constructor(text, options) {
    this.text = text.text;
    this.options = options;
    this.units = unitsOf(this.text, options.by, text.lang);
    this.words = options.by === "characters" ? unitsOf(this.text, "words", text.lang) : this.units;
    this.marks = [];
    this.range = null;
    this.element = h("div", { class: "written markable", role: "listbox", tabindex: 0, lang: text.lang || null,
      dir: text.dir || "auto", "aria-multiselectable": "true", "aria-label": options.label,
      "aria-describedby": options.describedBy, onclick: (event) => this.clicked(event) });
    this.caret = new Caret(this);
    followTouchSelection(this);
    this.show([], () => "");
  }

  /** Draw the text again, with these marks; `classOf` gives the look of a mark, `mark.spoken` its description. */
  show(marks, classOf) {
    this.marks = marks;
    const edges = new Set(marks.flatMap((mark) => [mark.start, mark.end]));
    this.pieces = this.units.map((unit) => this.piece(unit, edges, classOf));
    this.element.replaceChildren(...this.pieces);
    this.caret.show();
    this.select(this.range);
  }

  /** Select a range of code points, or nothing; what is selected is highlighted, but not marked yet. */
  select(range) {
    this.range = range;
    this.units.forEach((unit, i) => {
      const inside = range !== null && unit.start < range.end && unit.end > range.start;
      this.pieces[i].classList.toggle("selected", inside);
      if (!unit.space) this.pieces[i].setAttribute("aria-selected", String(inside));
    });
  }

  /** The judge selects: as above, and whoever listens is told. */
  choose(range) {
    this.select(range);
    this.options.selected(range);
  }

  snap(start, end) {
    return snapped(this.units, start, end);
  }

  marksAt(start, end) {
    return this.marks.filter((mark) => mark.start < end && mark.end > start);
  }

  clicked(event) {
    const dragged = this.draggedRange();
    if (dragged) {
      getSelection().removeAllRanges();
      this.caret.moveTo(dragged.start);
      this.choose(dragged);
      return;
    }
    const piece = event.target.closest("[data-start]");
    if (!piece || !this.element.contains(piece)) return;
    const start = Number(piece.dataset.start);
    const word = snapped(this.words, start, start + 1);
    this.caret.moveTo(start);
    if (this.range === null) {
      const mark = this.marksAt(start, start + 1).at(-1);
      if (mark) this.options.opened(mark);
      else if (word) this.choose(word);
    } else if (start >= this.range.start && start < this.range.end) {
      this.choose(null);
    } else if (word) {
      this.choose({ start: Math.min(this.range.start, word.start), end: Math.max(this.range.end, word.end) });
    }
  }

  /** What the browser itself has selected inside this text. */
  draggedRange() {
    const selection = getSelection();
    if (selection.isCollapsed || selection.rangeCount === 0) return null;
    const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
    if (!this.element.contains(startContainer) && !this.element.contains(endContainer)) return null;
    const start = this.offsetOf(startContainer, startOffset, 0);
    const end = this.offsetOf(endContainer, endOffset, this.units.at(-1)?.end ?? 0);
    return end > start ? this.snap(start, end) : null;
  }

  /** Code points before a place in this text; `outside` for a place elsewhere on the page. */
  offsetOf(node, offset, outside) {
    if (!this.element.contains(node)) return outside;
    const before = document.createRange();
    before.setStart(this.element, 0);
    before.setEnd(node, offset);
    return codePoints(before.toString()).length;
  }

  piece(unit, edges, classOf) {
    const marks = this.marksAt(unit.start, unit.end);
    const spoken = marks.map((mark) => mark.spoken).join(", ");
    const role = unit.space ? {} : { role: "option", id: freshId("unit"), "aria-selected": "false" };
    if (marks.length > 0 && !unit.space) role["aria-label"] = `${unit.text}, ${spoken}`;
    return h("span", { ...role, "data-start": unit.start },
      leaves(unit, edges).map(([start, text]) => h("span", { "data-start": start, class: this.look(start, classOf) }, text)));
  }

  look(at, classOf) {
    const covering = this.marksAt(at, at + 1);
    if (covering.length === 0) return null;
    return ["mark", ...covering.map(classOf), covering.length > 1 && "several"].filter(Boolean).join(" ");
  }
}

/** A unit cut where marks begin or end: [[start, text], …]. */
function leaves(unit, edges) {
  const points = codePoints(unit.text);
  const cuts = points.map((_, i) => i).filter((i) => i === 0 || edges.has(unit.start + i));
  return cuts.map((from, n) => [unit.start + from, points.slice(from, cuts[n + 1]).join("")]);
}

/** On touch screens a long press selects with handles that can be moved: the range follows them. */
function followTouchSelection(markable) {
  let touched = false;
  let timer = null;
  markable.element.addEventListener("pointerdown", (event) => { touched = event.pointerType === "touch"; });
  document.addEventListener("selectionchange", () => {
    if (!touched || !markable.element.isConnected) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      const range = markable.draggedRange();
      if (range) markable.choose(range);
    }, 250);
  });
}
