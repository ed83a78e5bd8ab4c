// Keys for the whole page. They never act in a text field or a menu, nor together with Ctrl, Alt or Meta, and can be
// switched off (WCAG 2.2, 2.1.4).

import { read, write } from "../storage.js";

const SETTING = "understudy/shortcuts";
const TYPED_IN = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range], [type=button])";

let listener = null;

/** The one function that is asked about keys: it returns true if it has used the key. */
export function listenWith(handle) {
  listener = handle;
}

export function shortcutsOn() {
  return read(SETTING) !== false;
}

export function switchShortcuts(on) {
  write(SETTING, on);
}

document.addEventListener("keydown", (event) => {
  if (!listener || event.defaultPrevented || event.isComposing || event.repeat) return;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest?.(TYPED_IN) || document.querySelector("dialog[open]")) return;
  if (event.key === "Enter" && event.target.closest?.("button, a, summary")) return;
  if (!shortcutsOn() && event.key.length === 1) return;
  if (listener(event)) event.preventDefault();
});
