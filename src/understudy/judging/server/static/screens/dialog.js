// A dialog over the page; Escape and its button close it, and the focus returns to where it was.

import { button, freshId, h } from "../dom.js";

export function showDialog(title, ...content) {
  const id = freshId("dialog");
  const dialog = h("dialog", { "aria-labelledby": id }, h("h2", { id }, title), content,
    button("Close", () => dialog.close(), { class: "main" }));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
