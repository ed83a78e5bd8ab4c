// Consent, then questions about the judge, where the campaign asks for them. One thing at a time.

import * as api from "../api.js";
import { button, fill, freshId, h } from "../dom.js";
import { randomKey } from "../flow/outbox.js";
import { patiently } from "../flow/patience.js";
import * as status from "../flow/status.js";

/** Resolves when the server has everything. */
export async function askProfile({ consent, demographics }) {
  const asksConsent = consent && !consent.given;
  const asksDemographics = demographics && !demographics.given;
  if (!asksConsent && !asksDemographics) return;
  if (asksConsent) await askConsent(consent.text);
  const answers = asksDemographics ? await askDemographics(demographics.fields) : {};
  const profile = { key: randomKey(), consent: true, demographics: answers };
  await patiently(() => api.sendProfile(profile), (error) =>
    status.problem(`${error.message || "The server cannot be reached."} Your answers here are not stored yet. Keep this tab open.`));
  status.solved();
}

function askConsent(text) {
  return new Promise((agreed) => {
    const heading = h("h1", { tabindex: -1 }, "Consent");
    const box = h("input", { type: "checkbox", id: freshId("consent"), required: true });
    showForm(heading, [text.split(/\n{2,}/).map((paragraph) => h("p", { class: "prose" }, paragraph)),
      h("label", { class: "switch", for: box.id }, box, " I have read this and agree to take part.")], agreed);
  });
}

function askDemographics(fields) {
  return new Promise((answered) => {
    const heading = h("h1", { tabindex: -1 }, "About you");
    const inputs = fields.map((field) => ({ name: field.name, ...control(field) }));
    showForm(heading, inputs.map((input) => input.element), () =>
      answered(Object.fromEntries(inputs.filter((input) => input.value() !== "").map((input) => [input.name, input.value()]))));
  });
}

function showForm(heading, content, done) {
  const form = h("form", { class: "sheet", onsubmit: (event) => { event.preventDefault(); done(); } }, heading, content,
    button("Continue", null, { type: "submit", class: "main", "data-do": "continue" }));
  fill(document.getElementById("main"), form);
  heading.focus({ preventScroll: true });
}

function control({ label, kind, choices }) {
  const id = freshId("about");
  const input = kind === "choice"
    ? h("select", { id }, h("option", { value: "" }, "–"), (choices ?? []).map((choice) => h("option", { value: choice }, choice)))
    : h("input", kind === "number" ? { id, type: "number", step: "any", inputmode: "decimal" } : { id, type: "text", dir: "auto" });
  const value = () => (kind === "number" && input.value !== "" ? Number(input.value) : input.value.trim());
  return { value, element: h("div", { class: "field" }, h("label", { for: id }, label), input) };
}
