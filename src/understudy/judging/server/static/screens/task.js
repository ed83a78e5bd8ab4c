// One step of one task: the question, the texts, the way to answer, and the way on.

import { button, fill, freshId, h, labelWithKey, written } from "../dom.js";
import { Clock } from "../flow/clock.js";
import { listenWith } from "../flow/shortcuts.js";
import { markedText } from "../spans/marked_text.js";
import { WIDGETS } from "../widgets/widgets.js";
import { showContext } from "./context.js";
import { extraFields } from "./extra_fields.js";

const LETTERS = "ABCDEFGHI";
const SHORTEST_LOOK = 0.5; // seconds

export function showTask(judging, { task, step, initial, isChange }) {
  const clock = new Clock();
  let isTouched = false;
  const outputs = task.outputs.map((output, i) => ({ ...output, label: task.outputs.length > 1 ? LETTERS[i] : "" }));
  const widget = WIDGETS[step.widget]({ step, task, outputs, initial, changed });
  const isLast = judging.steps.at(-1) === step;
  const extra = extraFields({ protocol: judging.campaign.protocol, outputs, initial, changed, isLast });
  const missing = h("p", { class: "missing", role: "alert" });
  const heading = h("h1", { tabindex: -1 }, step.question);
  const actions = h("div", { class: "actions" });

  const kind = `task outputs-${Math.min(outputs.length, 3)}`;

  fill(document.getElementById("main"), h("article", { class: kind, "data-task": task.task, "data-step": step.name },
    h("div", { class: "asked" }, where(), heading, widget.advice && h("p", { class: "advice" }, widget.advice)),
    showContext(task, step.shows, "before"),
    step.shows.includes("source") && task.source && sourceSection(),
    step.shows.includes("reference") && task.reference && textSection("Reference", written(task.reference), "reference"),
    h("div", { class: "outputs" }, outputs.map(outputSection)),
    showContext(task, step.shows, "after"),
    widget.overall && h("div", { class: "overall" }, widget.overall),
    extra.element, missing, actions));
  showActions();
  window.scrollTo({ top: 0 });
  heading.focus({ preventScroll: true });
  listenWith(key);

  return { close, seconds: () => clock.seconds(), showFeedback };

  function where() {
    const parts = [task.practice && "Practice", judging.steps.length > 1 && `Step ${judging.steps.indexOf(step) + 1} of ${judging.steps.length}`,
      isChange && "Answered before", task.document && h("bdi", {}, task.document)].filter(Boolean);
    return parts.length > 0 && h("p", { class: "kind" }, parts.flatMap((part, i) => (i > 0 ? [" · ", part] : [part])));
  }

  function sourceSection() {
    return textSection("Source", [widget.sourceText ?? written(task.source), widget.underSource], "source");
  }

  function outputSection(output) {
    const title = output.label ? `Translation ${output.label}` : "Translation";
    const before = judging.steps.slice(0, judging.steps.indexOf(step));
    const text = widget.textOf?.(output) ?? markedText(output, before, task.answers) ?? written(output);
    return textSection(title, [text, widget.underOutput?.(output)], "output");
  }

  function showActions() {
    fill(actions,
      button(labelWithKey("Back", "u"), back, { class: "quiet", disabled: !judging.canGoBack, "data-do": "back" }),
      isChange ? button("To the open task", () => judging.openNext(), { class: "quiet", "data-do": "open" })
        : button(labelWithKey("Skip", "s"), skip, { class: "quiet", "data-do": "skip" }),
      button(labelWithKey(isChange ? "Save the change" : "Next", "⏎"), next, { class: "main", "data-do": "next" }));
  }

  function changed() {
    isTouched = true;
    missing.textContent = "";
    judging.changed({ ...widget.payload(), ...extra.payload() }, widget.missing() === null);
  }

  function next() {
    missing.textContent = widget.missing() ?? "";
    if (missing.textContent === "") leave({ ...widget.payload(), ...extra.payload() });
  }

  function skip() {
    leave({ skipped: true, ...extra.comment() });
  }

  function leave(payload) {
    listenWith(null);
    for (const one of actions.querySelectorAll("button")) one.disabled = true;
    judging.submit(payload, clock.seconds());
  }

  function back() {
    if (judging.canGoBack) judging.back();
  }

  function key(event) {
    if (event.key === "u") back();
    else if (event.key === "s" && !isChange) skip();
    else if (widget.key(event)) return true;
    else if (event.key === "Enter") enter();
    else return false;
    return true;
  }

  /** No mark is an answer too: an Enter pressed twice must not give it for a text that no one has seen. */
  function enter() {
    if (step.widget !== "spans" || isTouched || clock.seconds() >= SHORTEST_LOOK) next();
  }

  /** After a practice answer: what was expected. Resolves when the judge goes on. */
  function showFeedback(feedback) {
    return new Promise((goOn) => {
      const items = feedback.map(({ output, ok, text }) => h("li", { class: { true: "right", false: "wrong" }[ok] ?? "" },
        h("strong", {}, { true: "As expected. ", false: "Not as expected. " }[ok] ?? ""), named(output), text));
      const onward = button(labelWithKey("Continue", "⏎"), goOn, { class: "main", "data-do": "continue" });
      fill(actions, h("div", { class: "feedback", role: "status" }, h("ul", {}, items)), onward);
      onward.focus();
    });
  }

  function named(id) {
    const label = outputs.find((output) => output.id === id)?.label;
    return label ? `Translation ${label}: ` : "";
  }

  function close() {
    clock.stop();
    listenWith(null);
  }
}

function textSection(title, content, kind) {
  const id = freshId("title");
  return h("section", { class: `text ${kind}`, "aria-labelledby": id }, h("h2", { id }, title), content);
}
