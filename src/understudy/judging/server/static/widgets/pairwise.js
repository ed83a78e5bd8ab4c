// Two outputs: one is better, or neither.

import { freshId, h } from "../dom.js";

export function pairwise({ step, outputs, initial, changed }) {
  const [first, second] = outputs;
  const name = freshId("pair");
  const labels = { first: "A is better", second: "B is better", tie: "Equally good", ...step.choices };
  const choices = [
    { keys: ["1", "a", "A"], key: "A", label: labels.first, ranks: { [first.id]: 1, [second.id]: 2 } },
    { keys: ["2", "t", "T", "="], key: "T", label: labels.tie, ranks: { [first.id]: 1, [second.id]: 1 } },
    { keys: ["3", "b", "B"], key: "B", label: labels.second, ranks: { [first.id]: 2, [second.id]: 1 } },
  ].filter((choice) => choice.key !== "T" || step.ties !== false);
  let chosen = choices.find((choice) => sameOrder(choice.ranks, initial?.ranks)) ?? null;
  const inputs = choices.map((choice) => h("input", { type: "radio", name, checked: choice === chosen,
    onchange: () => { chosen = choice; changed(); } }));

  return {
    overall: h("fieldset", { class: "pair" }, h("legend", { class: "hidden" }, step.question),
      h("div", { class: "points" }, choices.map((choice, i) => h("label", { class: "point" }, inputs[i],
        h("span", { class: "number" }, choice.label), h("kbd", { "aria-hidden": "true" }, choice.key))))),
    payload: () => ({ ranks: { ...chosen?.ranks } }),
    missing: () => (chosen ? null : "Choose one of the answers first."),
    key(event) {
      const i = choices.findIndex((choice) => choice.keys.includes(event.key));
      if (i < 0) return false;
      inputs[i].focus();
      if (!inputs[i].checked) inputs[i].click();
      return true;
    },
  };

  function sameOrder(ranks, given) {
    return given && Math.sign(ranks[first.id] - ranks[second.id]) === Math.sign(given[first.id] - given[second.id]);
  }
}
