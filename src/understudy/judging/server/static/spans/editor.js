// The panel under a text in which the judge says what kind of error a selection is, or changes a mark.

import { button, fill, h, labelWithKey } from "../dom.js";
import { shortened } from "./codepoints.js";

export class Editor {
  /** @param host  the widget: step, outputs, look, and the functions create, change, remove, close, nudge */
  constructor(host) {
    this.host = host;
    this.element = h("div", { class: "editor", role: "group" });
  }

  /**
   * @param subject  {range, text, mark, side, output}: what is selected, and the mark if there is one already
   * @param slot     where the panel is shown
   */
  open(subject, slot) {
    this.subject = subject;
    this.element.setAttribute("aria-label", subject.mark ? "Change a mark" : "New mark");
    fill(this.element, this.quoted(), this.sides(), this.whichOutput(), this.categories(), this.severities(), this.ends());
    if (this.element.parentElement !== slot) slot.append(this.element);
    this.element.scrollIntoView({ block: "nearest" });
  }

  close() {
    this.subject = null;
    this.element.remove();
  }

  focusCategory() {
    this.category?.focus();
  }

  focusFirst() {
    this.element.querySelector("select, .severities button")?.focus();
  }

  quoted() {
    const { text, range } = this.subject;
    if (range.start === range.end) return h("p", { class: "quoted" }, "Part of the source is missing in the translation.");
    return h("div", { class: "quoted" }, h("p", {}, h("q", {}, h("bdi", {}, shortened(text)))),
      h("div", { class: "nudges" }, this.nudges("start", "Start"), this.nudges("end", "End")));
  }

  nudges(edge, label) {
    const nudge = (by, sign, name) => button(sign, () => this.host.nudge(edge, by), { "aria-label": name, "data-nudge": `${edge}${by}` });
    return h("span", { class: "nudge" }, h("span", { "aria-hidden": "true" }, label),
      nudge(-1, "−", `${label} earlier`), nudge(1, "+", `${label} later`));
  }

  /** What a mark in the source is about, if the protocol allows both. */
  sides() {
    const { side, range } = this.subject;
    const { step } = this.host;
    if (side === "target" || range.start === range.end) return null;
    if (!step.sides.includes("source") || !step.sides.includes("omission")) return null;
    const choice = (name, label) => button(label, () => this.host.change({ side: name }), { "aria-pressed": String(side === name) });
    return h("div", { class: "choices", role: "group", "aria-label": "Kind of mark" },
      choice("omission", "Missing in the translation"), choice("source", "Other error"));
  }

  /** Which translation a mark in the source belongs to, if there are several. */
  whichOutput() {
    const { side, output, mark } = this.subject;
    const { outputs } = this.host;
    if (side === "target" || mark || outputs.length === 1) return null;
    return h("div", { class: "choices", role: "group", "aria-label": "Translation" }, outputs.map((one) =>
      button(one.label, () => this.host.change({ output: one }), { "aria-pressed": String(one === output) })));
  }

  categories() {
    const { categories } = this.host.step;
    this.category = null;
    if (!categories?.length) return null;
    const { category } = this.subject;
    this.category = h("select", { "aria-label": "Category",
      onchange: (event) => this.host.change({ category: event.target.value || null }),
      onkeydown: (event) => this.finishWithEnter(event) },
      h("option", { value: "" }, "Category…"), categories.map((one) => options(one, category)));
    return this.category;
  }

  finishWithEnter(event) {
    if (event.key !== "Enter" || !this.subject.mark) return;
    event.preventDefault();
    this.host.close();
  }

  severities() {
    const { severity, mark } = this.subject;
    return h("div", { class: "severities", role: "group", "aria-label": "Severity" }, this.host.step.severities.map((one) =>
      button(labelWithKey(one.label, one.key), () => this.host.give(one.name), {
        class: `severity ${this.host.look(one.name)}`, title: one.description || null, "data-severity": one.name,
        "aria-pressed": mark ? String(severity === one.name) : null })));
  }

  ends() {
    if (!this.subject.mark) return button("Cancel", () => this.host.close(), { class: "quiet" });
    return h("div", { class: "ends" }, button("Remove", () => this.host.remove(), { class: "quiet" }),
      button("Done", () => this.host.close()));
  }
}

/** A category as an option, or as a group of options; deeper levels become longer names. */
function options(category, chosen) {
  if (!category.children?.length) return option(category, category.label, chosen);
  return h("optgroup", { label: category.label }, category.children.flatMap((child) => leavesOf(child, ""))
    .map(({ leaf, label }) => option(leaf, label, chosen)));
}

function option(category, label, chosen) {
  return h("option", { value: category.name, selected: category.name === chosen, title: category.description || null }, label);
}

function leavesOf(category, before) {
  const label = before + category.label;
  if (!category.children?.length) return [{ leaf: category, label }];
  return category.children.flatMap((child) => leavesOf(child, `${label}: `));
}
