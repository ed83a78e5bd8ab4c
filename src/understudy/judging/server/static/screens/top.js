// The head of a judge's page: progress, time left, instructions and keys.

import { button, fill, h } from "../dom.js";
import { showInstructionsDialog } from "./instructions.js";
import { showKeysDialog } from "./keys.js";

export function showTop(judging) {
  const bar = h("progress", { "aria-label": "Progress" });
  const told = h("p", { class: "told" });
  const name = h("p", { class: "name" }, h("bdi", {}, judging.campaign.campaign));
  fill(document.getElementById("top"), h("div", { class: "bar" }, name, told,
    h("nav", { "aria-label": "Help" },
      button("Instructions", () => showInstructionsDialog(judging.campaign), { class: "quiet" }),
      button("Keys", () => showKeysDialog(judging.step), { class: "quiet" }))), bar);
  progress(judging.campaign.progress);
  return { progress };

  function progress({ done, total, seconds_left: seconds }) {
    bar.hidden = !total;
    bar.max = total || 1;
    bar.value = done;
    const count = total ? `${done} of ${total}` : `${done} done`;
    fill(told, h("span", {}, count), timeLeft(seconds) && h("span", { class: "soft" }, timeLeft(seconds)));
  }
}

/** As exact as an estimate can be: minutes, then quarters of an hour. */
export function timeLeft(seconds) {
  if (seconds === null || seconds === undefined || seconds <= 0) return "";
  const minutes = Math.max(1, Math.round(seconds / 60));
  if (minutes < 60) return `about ${minutes} min left`;
  const quarters = Math.round(minutes / 15);
  const rest = (quarters % 4) * 15;
  return `about ${Math.floor(quarters / 4)} h${rest ? ` ${rest} min` : ""} left`;
}
