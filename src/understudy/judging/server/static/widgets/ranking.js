// A ranking of several outputs: each gets a rank, 1 is best, and equal ranks are ties.

import { freshId, h } from "../dom.js";
import { activeOutput } from "./active_output.js";

export function ranking({ step, outputs, initial, changed }) {
  const ranks = { ...(initial?.ranks ?? {}) };
  const groups = new Map(outputs.map((output) => [output.id, rankGroup(output, outputs.length, ranks, changed)]));

  return {
    underOutput: (output) => groups.get(output.id).element,
    payload: () => ({ ranks: { ...ranks } }),
    missing() {
      if (!outputs.every((output) => output.id in ranks)) return "Give each translation a rank first.";
      const distinct = new Set(Object.values(ranks)).size === outputs.length;
      return step.ties === false && !distinct ? "Give each translation a rank of its own: ties are not allowed." : null;
    },
    key(event) {
      const isRank = /^[1-9]$/.test(event.key) && Number(event.key) <= outputs.length;
      if (!isRank) return false;
      const output = activeOutput(outputs, (one) => one.id in ranks);
      groups.get(output.id).choose(Number(event.key));
      const next = outputs.find((one) => !(one.id in ranks));
      if (next) groups.get(next.id).focus();
      return true;
    },
  };
}

function rankGroup(output, count, ranks, changed) {
  const name = freshId("rank");
  const inputs = Array.from({ length: count }, (_, i) => h("input", { type: "radio", name, value: i + 1,
    checked: ranks[output.id] === i + 1, onchange: () => { ranks[output.id] = i + 1; changed(); } }));
  const labels = inputs.map((input, i) => h("label", { class: "point" }, input,
    h("span", { class: "number" }, String(i + 1)), i === 0 && h("span", { class: "caption" }, "best"),
    i === count - 1 && h("span", { class: "caption" }, "worst")));
  const element = h("fieldset", { class: "scale ranks", "data-output": output.id },
    h("legend", { class: "hidden" }, `Rank of ${output.label}`), h("div", { class: "points" }, labels));
  return {
    element,
    choose(rank) {
      inputs[rank - 1].focus();
      if (!inputs[rank - 1].checked) inputs[rank - 1].click();
    },
    focus: () => (inputs.find((input) => input.checked) ?? inputs[0]).focus(),
  };
}
