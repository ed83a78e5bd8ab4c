// Shown while the next task cannot be fetched.

import { button, fill, h } from "../dom.js";

export function showWaiting(tryAgain) {
  const heading = h("h1", { tabindex: -1 }, "Waiting for the server");
  fill(document.getElementById("main"), h("article", { class: "sheet" }, heading,
    h("p", {}, "Your answer is kept in this browser. The page continues by itself when the server can be reached."),
    h("p", {}, "You may also close this tab. Open your link again later: your answer will be sent then."),
    button("Try again now", tryAgain, { class: "main", "data-do": "retry" })));
  heading.focus({ preventScroll: true });
}
