// The neighboring segments of the document, to read, not to judge.

import { h, written } from "../dom.js";

export function showContext(task, shows, side) {
  const segments = task.context?.[side] ?? [];
  if (segments.length === 0) return null;
  const title = side === "before" ? "Text before" : "Text after";
  return h("details", { class: "context", open: window.innerWidth >= 640 },
    h("summary", {}, title),
    segments.map((segment) => h("div", { class: "neighbor" },
      shows.includes("source") && segment.source && written({ ...task.source, text: segment.source }),
      segment.output && written({ ...task.outputs[0], text: segment.output }))));
}
