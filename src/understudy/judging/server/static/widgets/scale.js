// A rating scale: one radio button per point. What a point means is shown while the pointer or the focus is on it, and
// after it was chosen, so that touch screens show it too.

import { freshId, h } from "../dom.js";
import { activeOutput } from "./active_output.js";

export function scale({ step, outputs, initial, changed }) {
  const values = { ...(initial?.values ?? {}) };
  const groups = new Map(outputs.map((output) => [output.id, ratingGroup(step, output, values, changed)]));

  return {
    underOutput: (output) => groups.get(output.id).element,
    payload: () => ({ values: { ...values } }),
    missing: () => (outputs.every((output) => output.id in values) ? null : "Choose a point of the scale first."),
    key(event) {
      const output = activeOutput(outputs, (one) => one.id in values);
      return groups.get(output.id).choose(event.key);
    },
  };
}

function ratingGroup(step, output, values, changed) {
  const { labels = {}, descriptions = {} } = step.scale;
  const name = freshId("scale");
  const explained = h("p", { class: "explained" });
  const points = pointsOf(step.scale).map((value) => point(value));
  const isNamed = points.every(({ value }) => labels[value]);
  const element = h("fieldset", { class: isNamed ? "scale named" : "scale", "data-output": output.id },
    h("legend", { class: "hidden" }, `${step.question}${output.label ? ` ${output.label}` : ""}`),
    h("div", { class: "points", onpointerleave: explainChosen, onfocusout: explainChosen }, points.map((one) => one.label)),
    Object.keys(descriptions).length > 0 && explained);
  explainChosen();
  return { element, choose };

  function point(value) {
    const description = descriptions[value];
    const describedBy = freshId("description");
    const input = h("input", { type: "radio", name, value, checked: values[output.id] === value,
      "aria-describedby": description ? describedBy : null,
      onchange: () => { values[output.id] = value; explain(value); changed(); }, onfocus: () => explain(value) });
    const label = h("label", { class: "point", onpointerenter: () => explain(value) }, input,
      h("span", { class: "number" }, String(value)), labels[value] && h("span", { class: "caption" }, labels[value]),
      description && h("span", { class: "hidden", id: describedBy }, description));
    return { value, input, label };
  }

  function choose(key) {
    const chosen = points.find((one) => String(one.value) === key);
    if (!chosen) return false;
    chosen.input.focus();
    if (!chosen.input.checked) chosen.input.click();
    return true;
  }

  function explain(value) {
    const named = labels[value] ? `${value}, ${labels[value]}` : String(value);
    explained.replaceChildren(...(descriptions[value] ? [h("strong", {}, `${named}:`), " ", descriptions[value]] : []));
  }

  function explainChosen() {
    if (output.id in values) explain(values[output.id]);
    else explained.replaceChildren(h("span", { class: "soft" }, "Point at a number, or move to it, to read what it means."));
  }
}

function pointsOf({ low, high, step }) {
  const size = step || 1;
  const count = Math.round((high - low) / size) + 1;
  return Array.from({ length: count }, (_, i) => low + i * size);
}
