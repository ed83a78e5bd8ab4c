// The instructions of the protocol: as a page before the first task, and as a dialog later.

import { button, fill, h, labelWithKey } from "../dom.js";
import { listenWith } from "../flow/shortcuts.js";
import { showDialog } from "./dialog.js";

/** Resolves when the judge starts. */
export function showInstructions({ protocol }) {
  return new Promise((start) => {
    const heading = h("h1", { tabindex: -1 }, protocol.title);
    fill(document.getElementById("main"), h("article", { class: "sheet instructions" }, h("p", { class: "kind" }, "Instructions"), heading,
      paragraphs(protocol), h("p", { class: "soft" }, "Every answer is saved at once. You can stop at any time and continue later with your link."),
      button(labelWithKey("Begin", "⏎"), start, { class: "main", "data-do": "begin" })));
    heading.focus({ preventScroll: true });
    listenWith((event) => event.key === "Enter" && (start(), true));
  }).finally(() => listenWith(null));
}

export function showInstructionsDialog({ protocol }) {
  showDialog(protocol.title, ...paragraphs(protocol).filter(Boolean));
}

function paragraphs(protocol) {
  return [...protocol.instructions.map((paragraph) => h("p", {}, paragraph)), ...protocol.steps.map(explained)];
}

/** What the points of a scale mean, or the severities of errors. */
function explained({ scale, severities, categories }) {
  const anchors = Object.fromEntries((scale?.anchors ?? []).map(({ at, label }) => [at, label]));
  const points = Object.entries(scale?.descriptions ?? {}).map(([point, text]) =>
    [[point, scale.labels?.[point] ?? anchors[point]].filter(Boolean).join(", "), text]);
  const errors = [...(severities ?? []), ...(categories ?? []).flatMap((category) => leaves(category))].filter((one) => one.description)
    .map(({ label, description }) => [label, description]);
  const rows = [...points, ...errors];
  return rows.length > 0 ? h("dl", { class: "points-explained" }, rows.map(([term, text]) => [h("dt", {}, term), h("dd", {}, text)])) : null;
}

function leaves(category, parents = "") {
  const label = parents + category.label;
  return category.children?.length ? category.children.flatMap((child) => leaves(child, `${label}: `)) : [{ ...category, label }];
}
