// What the page says about saving, in a live region that screen readers read out.

import { survivesClosing } from "../storage.js";

const saved = document.getElementById("saved");
const trouble = document.getElementById("trouble");

// What is at the bottom of the window keeps clear of it.
const footer = document.getElementById("status");
new ResizeObserver(() => document.documentElement.style.setProperty("--status", `${footer.offsetHeight}px`)).observe(footer);

export function saying(text) {
  saved.textContent = text;
}

/** A problem stays on the screen until it is solved. */
export function problem(text) {
  trouble.textContent = text;
  trouble.hidden = false;
}

export function solved() {
  trouble.hidden = true;
  trouble.textContent = "";
}

/** After an attempt to send: what is where. */
export function afterSending({ waiting, refused, error }) {
  document.body.dataset.waiting = waiting;
  if (error) {
    problem(notSent(waiting, error));
    saying("");
    return;
  }
  solved();
  if (refused.length > 0) problem(`The server did not accept an answer: ${refused[0].error}`);
  saying(waiting > 0 ? "Saving…" : "All answers saved.");
}

function notSent(waiting, error) {
  const what = waiting === 1 ? "1 answer is" : `${waiting} answers are`;
  if (error.status === 401 || error.status === 403) {
    return `${error.message} ${waiting > 0 ? `${what} kept in this browser. ` : ""}Open your personal link again to continue.`;
  }
  const cause = error.message || "The server cannot be reached.";
  if (waiting === 0) return `${cause} Trying again.`;
  if (!survivesClosing()) {
    return `${cause} ${what} not saved yet, and this browser does not allow storing them. Keep this tab open.`;
  }
  const them = waiting === 1 ? "It" : "They";
  return `${cause} ${what} kept in this browser, even if you close the tab. `
    + `${them} will be sent when the server can be reached and this page is open.`;
}
