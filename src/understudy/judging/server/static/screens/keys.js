// The keys of the page, and the switch that turns the single-letter ones off.

import { h } from "../dom.js";
import { shortcutsOn, switchShortcuts } from "../flow/shortcuts.js";
import { showDialog } from "./dialog.js";

const OF_WIDGET = {
  scale: () => [["digits", "choose a point of the scale"], ["← →", "previous, next point"]],
  slider: () => [["0 – 9", "jump to 0 %, 10 % … 90 %"], ["← →", "by one"], ["Page ↑ ↓", "in larger steps"], ["Home End", "lowest, highest"]],
  ranking: () => [["digits", "rank of the translation with the focus, or of the first without a rank"], ["Tab", "next translation"]],
  pairwise: () => [["A or 1", "A is better"], ["T or 2", "equally good"], ["B or 3", "B is better"]],
  spans: (step) => [["Tab", "to a text"], ["← →", step.by === "characters" ? "by one character; with Ctrl by one word" : "by one word"],
    ["Shift ← →", "select"], ...step.severities.map((severity) => [severity.key, `mark as ${severity.label.toLowerCase()}`]),
    ["e", "change the mark under the caret"], ["Delete", "remove the mark under the caret"], ["Esc", "cancel the selection"]],
};

export function showKeysDialog(step) {
  const rows = [...(step ? OF_WIDGET[step.widget](step) : []), ["Enter", "next"], ["u", "back, to undo or change an answer"], ["s", "skip"]];
  const box = h("input", { type: "checkbox", checked: shortcutsOn(), onchange: () => switchShortcuts(box.checked) });
  showDialog("Keyboard shortcuts", h("table", { class: "keys" }, h("tbody", {}, rows.map(([key, meaning]) =>
    h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, key)), h("td", {}, meaning))))),
    h("label", { class: "switch" }, box, " Use letters and digits as shortcuts outside text fields"));
}
