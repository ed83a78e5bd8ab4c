// The marks of one output as a list: each can be opened and removed, and a removed proposal brought back.

import { button, fill, h } from "../dom.js";
import { shortened } from "./codepoints.js";

/** @param host  {marks, look, severityLabel, categoryLabel, opened, open(mark), remove(mark), restore(index)} */
export function showMarkList(element, host) {
  const { marks } = host;
  const removed = [...marks.removed].sort((a, b) => a - b);
  const items = [...marks.list.map((mark) => markItem(mark, host)), ...removed.map((index) => removedItem(index, host))];
  fill(element, items.length > 0 ? h("ul", {}, items) : h("p", { class: "soft" }, "No errors marked."));
}

export function markLabel(mark, { severityLabel, categoryLabel }) {
  const side = { omission: "omission", source: "in the source" }[mark.side];
  return [categoryLabel(mark.category), severityLabel(mark.severity), side].filter(Boolean).join(" · ");
}

function markItem(mark, host) {
  const quoted = mark.text ? h("q", {}, h("bdi", {}, shortened(mark.text))) : h("span", {}, "Missing text");
  const origin = { kept: "proposed", changed: "changed" }[mark.origin];
  const incomplete = !mark.severity || (host.needsCategory && !mark.category);
  return h("li", { class: incomplete ? "incomplete" : null },
    h("button", { type: "button", class: "open", "aria-expanded": String(host.opened === mark), onclick: () => host.open(mark) },
      h("span", { class: `swatch ${host.look(mark.severity)}`, "aria-hidden": "true" }), quoted,
      h("span", { class: "soft" }, markLabel(mark, host) || "no severity yet", origin && ` · ${origin}`,
        incomplete && host.needsCategory && !mark.category && " · category missing")),
    button("×", () => host.remove(mark), { class: "remove", "aria-label": `Remove the mark on ${shortened(mark.text) || "missing text"}` }));
}

function removedItem(index, host) {
  const span = host.marks.prefilled[index];
  return h("li", { class: "removed" }, h("span", { class: "open" }, h("span", { class: "swatch", "aria-hidden": "true" }),
    h("del", {}, h("bdi", {}, shortened(span.text) || "Missing text")), h("span", { class: "soft" }, "proposed, removed")),
    button("Restore", () => host.restore(index), { class: "quiet", "aria-label": `Restore the mark on ${shortened(span.text) || "missing text"}` }));
}
