// The end: thanks, and the code or the way back for crowd platforms.

import { button, fill, h, labelWithKey } from "../dom.js";
import { listenWith } from "../flow/shortcuts.js";

export function showFinished(judging) {
  const { completion, progress } = judging.campaign;
  const heading = h("h1", { tabindex: -1 }, "All done. Thank you!");
  const canGoBack = progress.done > 0;
  fill(document.getElementById("main"), h("article", { class: "sheet finished" }, heading,
    h("p", {}, "There is nothing left to judge, and all your answers are saved. You can close this page."),
    completion?.code && codeBox(completion.code),
    isAddress(completion?.url) && h("p", {}, h("a", { href: completion.url, class: "main", rel: "noreferrer" }, "Return to the platform")),
    canGoBack && button(labelWithKey("Back to the last answer", "u"), () => judging.back(), { class: "quiet", "data-do": "back" })));
  heading.focus({ preventScroll: true });
  listenWith((event) => event.key === "u" && canGoBack && (judging.back(), true));
}

function isAddress(url) {
  return /^https?:\/\//.test(url ?? "");
}

function codeBox(code) {
  const copied = h("span", { role: "status" });
  const copy = button("Copy", () => navigator.clipboard.writeText(code).then(() => { copied.textContent = "Copied."; }), { class: "quiet" });
  return h("p", { class: "code" }, "Completion code: ", h("code", {}, code), " ", navigator.clipboard && copy, " ", copied);
}
