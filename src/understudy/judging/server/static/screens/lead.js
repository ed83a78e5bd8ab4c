// How a campaign stands, for its lead; with a view-only link the same without the judges' names.

import * as api from "../api.js";
import { button, fill, h } from "../dom.js";
import { patiently } from "../flow/patience.js";
import * as status from "../flow/status.js";
import { timeLeft } from "./top.js";
import { intervalChart } from "./intervals.js";

const REFRESH = 30_000; // milliseconds

export async function showLead(role) {
  const content = h("div", { class: "lead" });
  const when = h("p", { class: "told", role: "status" });
  fill(document.getElementById("top"), h("div", { class: "bar" },
    h("p", { class: "name" }, role === "viewer" ? "Judging, view only" : "Judging"), when,
    h("nav", { "aria-label": "Page" }, button("Refresh", refresh, { class: "quiet", "data-do": "refresh" }))));
  fill(document.getElementById("main"), content);
  await refresh();
  setInterval(() => document.hidden || refresh().catch((error) => status.problem(error.message)), REFRESH);

  async function refresh() {
    const state = await patiently(api.lead, (error) => status.problem(error.message || "The server cannot be reached. Trying again."));
    status.solved();
    when.textContent = `As of ${new Date().toLocaleTimeString()}`;
    fill(content, h("h1", {}, h("bdi", {}, state.campaign)), state.storage && h("p", { class: "caution", role: "alert" }, state.storage),
      summary(state), ranking(state), open(state), judges(state), agreement(state));
  }
}

function summary({ progress, judges }) {
  const { done, total, seconds_left: seconds } = progress;
  const share = total ? `${done} of ${total} tasks done (${Math.floor((100 * done) / total)}%)` : `${done} tasks done`;
  const active = judges.filter((judge) => judge.done > 0).length;
  return h("section", { class: "card" }, h("p", { class: "headline" }, share),
    h("p", { class: "soft" }, [`${active} of ${judges.length} judges have begun`, timeLeft(seconds)].filter(Boolean).join(" · ")),
    total ? h("progress", { max: total, value: done, "aria-label": "Progress of the campaign" }) : null);
}

function ranking({ ranking: systems, statistic, question }) {
  if (!systems?.length) return section("Ranking so far", h("p", { class: "soft" }, "No judgments yet."));
  const title = question ? `Ranking so far, by ${question}` : "Ranking so far";
  const rows = systems.map((one, i) => h("tr", { class: i > 0 && one.cluster !== systems[i - 1].cluster ? "begins" : null },
    numeric(one.cluster), nameCell(one.system), numeric(rounded(one.value)), h("td", {}, intervalChart(one, systems)),
    numeric(one.low === null || one.low === undefined ? "–" : `${rounded(one.low)} to ${rounded(one.high)}`), numeric(one.judgments)));
  return section(title, table(["cluster#", "system", `${statistic}#`, "interval", "95% CI#", "judgments#"], rows));
}

function open({ open_pairs: pairs }) {
  if (!pairs?.length) return null;
  const rows = pairs.map((pair) => h("tr", {}, nameCell(pair.better), nameCell(pair.worse),
    numeric(pair.p === null ? "–" : pair.p < 0.001 ? "<0.001" : pair.p.toFixed(3)), numeric(pair.needed ?? "–")));
  return section("Pairs without a significant difference", table(["higher rank", "lower rank", "p-value#", "further judgments needed#"], rows));
}

function judges({ judges: all, in_steps: inSteps }) {
  const hasGroups = all.some((judge) => judge.group);
  const rows = all.map((judge) => h("tr", {}, nameCell(judge.name), hasGroups && h("td", {}, judge.group ?? ""),
    numeric(judge.total ? `${judge.done} of ${judge.total}` : judge.done), numeric(judge.per_hour === null ? "–" : Math.round(judge.per_hour)),
    numeric(judge.controls_seen ? `${judge.controls_missed} of ${judge.controls_seen}` : "–", judge.controls_missed > 0 && "warn"),
    numeric(rounded(inSteps ? judge.identical_repeats : judge.repeat_difference)), h("td", { class: "n" }, judge.revoked ? "revoked" : ago(judge.last))));
  const heads = ["judge", hasGroups && "group", "done#", "per hour#", "controls missed#",
    inSteps ? "identical repeats#" : "difference of repeats#", "last answer#"];
  return section("Judges", table(heads.filter(Boolean), rows));
}

function agreement({ agreement: figures }) {
  if (!figures?.length) return null;
  const rows = figures.map((one) => h("tr", {}, h("th", { scope: "row" }, one.name), numeric(rounded(one.value)),
    numeric(one.low === null || one.low === undefined ? "–" : `${rounded(one.low)} to ${rounded(one.high)}`)));
  return section("Agreement so far", table(["coefficient", "value#", "95% CI#"], rows));
}

function section(title, ...content) {
  return h("section", {}, h("h2", {}, title), h("div", { class: "card" }, content));
}

/** A head with # is that of a column of numbers. */
function table(heads, rows) {
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Table" }, h("table", {},
    h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col", class: head.endsWith("#") ? "n" : null }, head.replace("#", ""))))),
    h("tbody", {}, rows)));
}

function nameCell(name) {
  return h("th", { scope: "row" }, h("bdi", {}, name));
}

function numeric(value, extra) {
  return h("td", { class: ["n", extra].filter(Boolean).join(" ") }, value === null || value === undefined ? "–" : String(value));
}

function rounded(value) {
  return value === null || value === undefined ? "–" : Number(value).toFixed(2);
}

function ago(time) {
  if (!time) return "–";
  const moment = new Date(typeof time === "number" ? time * 1000 : time);
  const minutes = Math.round((Date.now() - moment) / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 48 * 60 ? `${Math.round(minutes / 60)} h ago` : moment.toLocaleDateString();
}
