// A text with marks to look at: shown in steps that follow the marking.

import { h } from "../dom.js";
import { codePoints } from "./codepoints.js";
import { severityLook } from "./severities.js";

/** The text of an output with the marks of an earlier step, or null if there was none. */
export function markedText(output, steps, answers) {
  const step = steps.find((one) => one.widget === "spans" && answers?.[one.name]?.spans);
  if (!step) return null;
  const look = severityLook(step.severities);
  const marks = answers[step.name].spans[output.id].filter((mark) => mark.side === "target");
  const points = codePoints(output.text);
  const edges = [...new Set([0, points.length, ...marks.flatMap((mark) => [mark.start, mark.end])])].sort((a, b) => a - b);
  const pieces = edges.slice(0, -1).map((start, i) => piece(start, points.slice(start, edges[i + 1]).join("")));
  return h("p", { class: "written", lang: output.lang || null, dir: output.dir || "auto" }, pieces);

  function piece(start, text) {
    const covering = marks.filter((mark) => mark.start <= start && mark.end > start);
    if (covering.length === 0) return text;
    return h("mark", { class: ["mark", ...covering.map((mark) => look(mark.severity))].join(" ") }, text);
  }
}
