// A continuous scale without a preset value: the thumb appears when the judge sets it. Labeled anchors are drawn where
// the protocol has them; without anchors the number is not shown either.

import { freshId, h } from "../dom.js";
import { activeOutput } from "./active_output.js";

export function slider({ step, outputs, initial, changed }) {
  const values = { ...(initial?.values ?? {}) };
  const tracks = new Map(outputs.map((output) => [output.id, track(step, output, values, changed)]));

  return {
    underOutput: (output) => tracks.get(output.id).element,
    payload: () => ({ values: { ...values } }),
    missing: () => (outputs.every((output) => output.id in values) ? null : "Set the slider first."),
    key(event) {
      const output = activeOutput(outputs, (one) => one.id in values);
      return tracks.get(output.id).jump(event.key);
    },
  };
}

function track(step, output, values, changed) {
  const { low, high, step: size, anchors = [], labels = {}, descriptions = {} } = step.scale;
  const marked = [...anchors].sort((a, b) => a.at - b.at);
  const shown = h("output", { class: "number" });
  const explained = h("p", { class: "explained" });
  const input = h("input", { type: "range", min: low, max: high, step: size || 1, id: freshId("slider"),
    "aria-label": `${step.question}${output.label ? ` ${output.label}` : ""}`,
    // A click on the very middle is no change, and so sends no input event.
    oninput: take, onpointerup: take });
  input.value = values[output.id] ?? (low + high) / 2;
  show();
  const ends = marked.length === 0 && endLabels();
  const element = h("div", { class: "slider", "data-output": output.id },
    marked.length > 0 && h("p", { class: "value" }, shown),
    h("div", { class: "track" }, input, marked.map(tick)), marked.length > 0 && anchorList(), ends,
    Object.keys(descriptions).length > 0 && explained);
  return { element, jump };

  function take() {
    values[output.id] = Number(input.value);
    show();
    changed();
  }

  function show() {
    const value = values[output.id];
    input.classList.toggle("unset", value === undefined);
    if (value === undefined) input.setAttribute("aria-valuetext", "not rated yet");
    else if (marked.length > 0) input.setAttribute("aria-valuetext", `${value}, ${nearest(value).label}`);
    else input.removeAttribute("aria-valuetext");
    input.style.setProperty("--filled", value === undefined ? "0%" : `${(100 * (value - low)) / (high - low)}%`);
    shown.textContent = value === undefined ? "" : String(value);
    if (value !== undefined && marked.length > 0) explain(nearest(value));
  }

  function jump(key) {
    if (!/^[0-9]$/.test(key)) return false;
    input.value = low + ((high - low) * Number(key)) / 10;
    input.focus();
    take();
    return true;
  }

  function nearest(value) {
    return marked.reduce((a, b) => (Math.abs(b.at - value) < Math.abs(a.at - value) ? b : a));
  }

  function explain({ at, label }) {
    if (descriptions[at]) explained.replaceChildren(h("strong", {}, `${at}, ${label}:`), " ", descriptions[at]);
  }

  function tick({ at }) {
    const line = h("span", { class: "tick", "aria-hidden": "true" });
    line.style.setProperty("--at", (at - low) / (high - low));
    return line;
  }

  function anchorList() {
    return h("ul", { class: "anchors" }, marked.map(({ at, label }) => {
      const item = h("li", { onpointerenter: () => explain({ at, label }) }, h("span", { class: "at" }, String(at)), " ", label);
      item.style.setProperty("--at", (at - low) / (high - low));
      return item;
    }));
  }

  function endLabels() {
    const [first, last] = [labels[low], labels[high]];
    return (first || last) && h("p", { class: "ends" }, h("span", {}, first ?? ""), h("span", {}, last ?? ""));
  }
}
