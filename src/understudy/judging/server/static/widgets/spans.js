// Marked errors: texts in which ranges are selected, a panel that says what is wrong with them, and lists of the marks.

import { button, h } from "../dom.js";
import { textBetween } from "../spans/codepoints.js";
import { Editor } from "../spans/editor.js";
import { markLabel, showMarkList } from "../spans/mark_list.js";
import { MarkableText } from "../spans/markable_text.js";
import { Marks } from "../spans/marks.js";
import { severityLook } from "../spans/severities.js";

export function spans(given) {
  const widget = new SpanWidget(given);
  return {
    textOf: (output) => widget.panes.get(output.id).text.element,
    underOutput: (output) => widget.panes.get(output.id).under,
    sourceText: widget.source?.text.element ?? null,
    underSource: widget.source?.slot ?? null,
    overall: widget.help,
    advice: "Drag over an error, or tap its first and last word. Then choose how severe it is.",
    payload: () => widget.payload(),
    missing: () => widget.missing(),
    key: (event) => widget.key(event),
  };
}

class SpanWidget {
  constructor({ step, task, outputs, initial, changed }) {
    Object.assign(this, { step, outputs, changed });
    this.look = severityLook(step.severities);
    this.sourceOf = task.source?.text;
    this.editor = new Editor(this);
    this.help = h("p", { class: "hidden", id: "span-help" }, helpText(step));
    this.panes = new Map(outputs.map((output) => [output.id, this.pane(output, initial)]));
    this.source = this.sourcePane(task.source);
    this.draw();
  }

  // What is on the screen

  pane(output, initial) {
    const proposals = (output.prefilled ?? []).map((span) => this.proposal(span, output));
    const marks = new Marks(proposals, savedFor(output, initial));
    const slot = h("div", { class: "slot" });
    const list = h("div", { class: "marks", "data-output": output.id });
    const label = output.label ? `Translation ${output.label}` : "Translation";
    const text = this.step.sides.includes("target") ? this.markable(output, `${label}: select errors`, "target", slot, output)
      : { element: h("p", { class: "written", lang: output.lang || null, dir: output.dir || "auto" }, output.text), show() {}, select() {} };
    const omission = this.step.sides.includes("omission")
      && button("+ Omission", () => this.begin({ start: 0, end: 0 }, "omission", output, text, slot), { class: "quiet", "data-add": "omission" });
    return { output, marks, slot, list, text, under: h("div", { class: "under" }, slot, list, omission) };
  }

  /** A span of any tool as a mark of this protocol: what the protocol does not have is left for the judge to choose. */
  proposal({ start, end, side = "target", category, severity }, output) {
    const text = side === "target" ? output.text : this.sourceOf ?? "";
    return { start, end, text: textBetween(text, start, end), side, category: this.categoryLabel(category) ? category : null,
      severity: this.severityLabel(severity) ? severity : null };
  }

  sourcePane(source) {
    const wanted = this.step.sides.some((side) => side !== "target") && this.step.shows.includes("source") && source;
    if (!wanted) return null;
    const slot = h("div", { class: "slot" });
    const side = this.step.sides.includes("omission") ? "omission" : "source";
    const text = this.markable(source, "Source: select what is missing or wrong", side, slot, this.outputs[0]);
    return { slot, text };
  }

  markable(text, label, side, slot, output) {
    const markable = new MarkableText(text, {
      by: this.step.by,
      label,
      describedBy: "span-help",
      selected: (range) => (range ? this.begin(range, side, output, markable, slot) : this.close()),
      opened: (mark) => this.open(mark),
      key: (event) => this.key(event, markable),
    });
    return markable;
  }

  draw() {
    const everything = [...this.panes.values()];
    for (const { marks, list, text } of everything) {
      for (const mark of marks.list) mark.spoken = `marked ${markLabel(mark, this)}`;
      text.show(marks.list.filter((mark) => mark.side === "target"), (mark) => this.look(mark.severity));
      showMarkList(list, { ...this.listHost(marks), marks });
    }
    const inSource = everything.flatMap(({ marks }) => marks.list).filter((mark) => mark.side !== "target" && mark.end > mark.start);
    this.source?.text.show(inSource, (mark) => this.look(mark.severity));
  }

  listHost(marks) {
    return {
      look: this.look,
      severityLabel: this.severityLabel,
      categoryLabel: this.categoryLabel,
      needsCategory: this.needsCategory,
      opened: this.subject?.mark ?? null,
      open: (mark) => this.open(mark),
      remove: (mark) => this.removeMark(mark),
      restore: (index) => this.restore(marks, index),
    };
  }

  severityLabel = (name) => this.step.severities.find((severity) => severity.name === name)?.label ?? "";

  categoryLabel = (name) => labelOf(this.step.categories ?? [], name);

  get needsCategory() {
    return (this.step.categories ?? []).length > 0;
  }

  // What the judge does

  /** A range is selected: ask what is wrong with it. */
  begin(range, side, output, text, slot) {
    this.deselectOthers(text);
    const empty = range.start === range.end; // an omission without a place
    if (empty) text.select(null);
    const covered = empty ? "" : textBetween(text.text, range.start, range.end);
    this.subject = { range, side, output, pane: text, slot, text: covered, mark: null, category: this.subject?.category ?? null };
    this.editor.open(this.subject, slot);
  }

  open(mark) {
    const pane = this.paneOf(mark);
    const inSource = mark.side !== "target" && mark.end > mark.start && this.source;
    const { text, slot } = inSource ? this.source : pane;
    this.deselectOthers(text);
    const range = { start: mark.start, end: mark.end };
    this.subject = { ...mark, range, output: pane.output, pane: text, slot, mark };
    text.select(mark.end > mark.start ? range : null);
    if (mark.end > mark.start) text.caret.moveTo(mark.start);
    this.editor.open(this.subject, slot);
    this.editor.focusFirst();
    this.draw();
  }

  close() {
    const pane = this.subject?.pane;
    this.subject = null;
    this.editor.close();
    pane?.select(null);
    this.draw();
    if (pane?.element.isConnected && document.activeElement === document.body) pane.element.focus({ preventScroll: true });
  }

  /** A severity was chosen: make the mark, or change the open one. */
  give(severity) {
    const { mark, range, side, output, text, category } = this.subject;
    if (mark) return this.change({ severity });
    const { marks } = this.panes.get(output.id);
    const added = marks.put({ ...range, text, side, category: category ?? null, severity });
    if (this.needsCategory && !added.category) {
      this.open(added);
      this.editor.focusCategory();
    } else this.close();
    return this.changed(); // now that nothing is selected: marks beside an open selection are not sent
  }

  change(changes) {
    Object.assign(this.subject, changes);
    const { mark } = this.subject;
    if (mark) {
      this.paneOf(mark).marks.change(mark, changes);
      this.changed();
    }
    if (!("category" in changes)) this.redrawEditor(); // a new list of categories would forget the letters typed so far
    this.draw();
  }

  redrawEditor() {
    const focused = document.activeElement;
    const again = focused && pathTo(focused, this.editor.element);
    this.editor.open(this.subject, this.subject.slot);
    if (again) this.editor.element.querySelector(again)?.focus();
  }

  /** Move one end of the selection by one word or character. */
  nudge(edge, by) {
    const { range, pane } = this.subject;
    const moved = nudged(pane.units, range, edge, by);
    if (!moved) return;
    const text = textBetween(pane.text, moved.start, moved.end);
    this.subject.range = moved;
    pane.select(moved);
    this.change(this.subject.mark ? { ...moved, text } : { text });
  }

  remove() {
    this.removeMark(this.subject.mark);
  }

  removeMark(mark) {
    this.paneOf(mark).marks.remove(mark);
    this.changed();
    this.close();
  }

  restore(marks, index) {
    marks.restore(index);
    this.changed();
    this.draw();
  }

  /** Keys of severities mark the selection, or what is under the caret of `text`. */
  key(event, text = null) {
    if (event.ctrlKey) return false;
    const severity = this.step.severities.find((one) => one.key.toLowerCase() === event.key.toLowerCase());
    if (severity && !this.subject && text) text.choose(text.caret.here());
    if (severity && this.subject) this.give(severity.name);
    else if (event.key === "Escape" && this.subject) this.close();
    else if (event.key === "Enter" && this.subject && !this.subject.mark) this.editor.focusFirst();
    else if (event.key === "e" && !this.subject && text?.caret.markHere()) this.open(text.caret.markHere());
    else if (/^(Delete|Backspace)$/.test(event.key) && text?.caret.markHere()) this.removeMark(text.caret.markHere());
    else return false;
    return true;
  }

  deselectOthers(text) {
    for (const pane of [...this.panes.values(), this.source]) if (pane && pane.text !== text) pane.text.select(null);
  }

  paneOf(mark) {
    return [...this.panes.values()].find(({ marks }) => marks.list.includes(mark));
  }

  // What is sent

  payload() {
    const marked = {};
    const removed = {};
    for (const [id, { marks }] of this.panes) {
      marked[id] = marks.list.map(({ start, end, text, side, category, severity, origin, prefilled }) =>
        ({ start, end, text, side, category, severity, origin, prefilled }));
      if (marks.removed.size > 0) removed[id] = [...marks.removed].sort((a, b) => a - b);
    }
    return { spans: marked, removed, final: true };
  }

  missing() {
    const all = [...this.panes.values()].flatMap(({ marks }) => marks.list);
    if (this.subject && !this.subject.mark) return "Choose a severity for the selected text, or cancel the selection.";
    if (all.some((mark) => !mark.severity)) return "Choose a severity for each mark.";
    if (this.needsCategory && all.some((mark) => !mark.category)) return "Choose a category for each mark.";
    return null;
  }
}

function savedFor(output, initial) {
  if (!initial?.spans) return null;
  return { spans: initial.spans[output.id] ?? [], removed: initial.removed?.[output.id] ?? [] };
}

function labelOf(categories, name) {
  for (const category of categories) {
    if (category.name === name) return category.label;
    const inside = labelOf(category.children ?? [], name);
    if (inside) return `${category.label}: ${inside}`;
  }
  return "";
}

/** A range with one end moved to the next boundary between units, or null if nothing would be left. */
function nudged(units, range, edge, by) {
  const edges = units.filter((unit) => !unit.space).map((unit) => unit[edge]);
  const target = by > 0 ? edges.find((at) => at > range[edge]) : edges.filter((at) => at < range[edge]).at(-1);
  if (target === undefined) return null;
  const moved = { ...range, [edge]: target };
  return moved.start < moved.end ? moved : null;
}

/** A selector that finds the same control after the panel was drawn again. */
function pathTo(control, panel) {
  if (!panel.contains(control)) return null;
  if (control.dataset.nudge) return `[data-nudge="${control.dataset.nudge}"]`;
  if (control.dataset.severity) return `[data-severity="${control.dataset.severity}"]`;
  return control.tagName === "SELECT" ? "select" : "button[aria-pressed=true]";
}

function helpText(step) {
  const unit = step.by === "characters" ? "character" : "word";
  const severities = step.severities.map((severity) => `${severity.key} for ${severity.label.toLowerCase()}`).join(", ");
  return `Arrow keys move by one ${unit}, Shift with arrow keys selects. Then press ${severities}. `
    + "Escape cancels, e changes a mark, Delete removes it.";
}
