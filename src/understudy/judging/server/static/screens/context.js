// The neighbouring segments of the document, to read, not to judge.

import { h, written } from "../dom.js";

export function showContext(context, shows, side) {
  const segments = context?.[side] ?? [];
  if (segments.length === 0) return null;
  const title = side === "before" ? "Text before" : "Text after";
  return h("details", { class: "context", open: window.innerWidth >= 640 },
    h("summary", {}, title),
    segments.map((segment) => h("div", { class: "neighbour" },
      shows.includes("source") && segment.source && written(asText(segment.source)),
      segment.output && written(asText(segment.output)))));
}

function asText(given) {
  return typeof given === "string" ? { text: given } : given;
}
