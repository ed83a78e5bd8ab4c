// Before anything else. Only a click sends the token: programs that preview links open them, too.

import { button, fill, h } from "../dom.js";

/** Resolves with the judge's click. */
export function showWelcome() {
  return new Promise((start) => {
    sheet("Judging translations",
      h("p", {}, "You have been invited to judge translations."),
      h("p", {}, "This link is personal. Use it on any device to continue where you stopped, and do not share it."),
      button("Start", start, { class: "main", "data-do": "start" }));
    document.querySelector("[data-do=start]").focus({ preventScroll: true });
  });
}

export function showNoLink(message = "") {
  sheet("Your personal link is needed",
    message && h("p", {}, message),
    h("p", {}, "Open the link that you received. If you no longer have it, ask the person who invited you."));
}

export function showNoPlace(message) {
  sheet("No place left", h("p", {}, message));
}

function sheet(title, ...content) {
  fill(document.getElementById("top"));
  fill(document.getElementById("main"), h("article", { class: "sheet" }, h("h1", { tabindex: -1 }, title), ...content));
}
