// A judge's way through a campaign: consent, instructions, then one step after the other until nothing is left.

import * as api from "../api.js";
import { askProfile } from "../screens/profile.js";
import { showFinished } from "../screens/finished.js";
import { showInstructions } from "../screens/instructions.js";
import { showTask } from "../screens/task.js";
import { showTop } from "../screens/top.js";
import { showWaiting } from "../screens/waiting.js";
import { read, write } from "../storage.js";
import { Ahead } from "./ahead.js";
import { Drafts } from "./drafts.js";
import { Outbox } from "./outbox.js";
import { patiently } from "./patience.js";
import * as status from "./status.js";

const DRAFT_PAUSE = 1500; // milliseconds after the last change of marks
const PRESENT = "understudy/judge"; // who judges in this browser now

export class Judging {
  constructor(campaign) {
    this.campaign = campaign;
    this.steps = campaign.protocol.steps;
    // Campaigns of the same name may be served at the same address, one after another.
    this.owner = `${campaign.id}/${campaign.judge.name}`;
    this.drafts = new Drafts(this.owner);
    this.outbox = new Outbox(this.owner, (answers) => this.send(answers), (outcome) => this.sent(outcome));
    this.ahead = new Ahead(() => this.outbox.waiting());
    this.view = null;
    this.isWaiting = false;
    write(PRESENT, this.owner);
  }

  async start() {
    this.top = showTop(this);
    if (this.outbox.waiting() > 0) await this.outbox.flush();
    await askProfile(this.campaign);
    const seen = `understudy/instructions/${encodeURIComponent(this.owner)}`;
    if (!read(seen) && this.campaign.progress.done === 0) await showInstructions(this.campaign);
    write(seen, true);
    await this.openNext();
  }

  // Which step is shown

  async openNext() {
    this.show(await this.asking(api.nextTask));
  }

  /** A task that the server sends; without one everything is judged. */
  show(task) {
    this.isWaiting = false;
    if (!task || task.task === null) this.finish();
    else this.showStep(task, task.step ?? this.steps.at(-1).name);
  }

  showStep(given, name) {
    this.close();
    const task = withoutAbsentTexts(given);
    this.task = task;
    this.step = this.steps.find((step) => step.name === name);
    const answered = task.answers?.[name] ?? null;
    const initial = this.drafts.of(task.task, name) ?? this.outbox.unsent(task.task, name) ?? answered;
    const isChange = answered !== null && answered.final !== false && !answered.skipped;
    this.view = showTask(this, { task, step: this.step, initial, isChange });
    this.ahead.fetchAfter(task);
  }

  /** The step before this one, in this task or in the one before. */
  async back() {
    if (this.stepBefore) return this.showStep(this.task, this.stepBefore.name);
    const position = this.task ? this.task.position - 1 : this.campaign.progress.done;
    return position < 1 ? undefined : this.reopen(position);
  }

  get canGoBack() {
    return this.stepBefore !== undefined || this.task.position > 1;
  }

  /** The step of this task that can be changed: not one that must not know the texts shown since. */
  get stepBefore() {
    const before = this.steps.slice(0, Math.max(this.steps.indexOf(this.step), 0));
    return before.filter((step) => !this.task.locked?.includes(step.name)).at(-1);
  }

  async reopen(position) {
    const task = await this.asking(() => api.taskAt(position));
    const open = this.steps.filter((step) => step.name in task.answers && !task.locked?.includes(step.name));
    this.showStep(task, open.at(-1)?.name ?? task.step);
  }

  async finish() {
    this.close();
    this.task = null;
    this.step = null;
    this.drafts.forgetAll();
    this.campaign = await this.asking(api.campaign);
    this.top.progress(this.campaign.progress);
    showFinished(this);
  }

  close() {
    this.view?.close();
    this.view = null;
    clearTimeout(this.draftTimer);
  }

  // What becomes of an answer

  /** The judge changes something: keep it here, and marks on the server too, for other devices. */
  changed(payload, isComplete) {
    this.drafts.keep(this.task.task, this.step.name, payload);
    clearTimeout(this.draftTimer);
    if (payload.spans && isComplete) this.draftTimer = setTimeout(() => this.sendDraft(payload), DRAFT_PAUSE);
  }

  sendDraft(payload) {
    if (this.task.answers?.[this.step.name]?.final) return; // a final answer is replaced by the next final one only
    this.outbox.add({ task: this.task.task, step: this.step.name, payload: { ...payload, final: false }, seconds: this.view.seconds() });
    this.outbox.flush();
  }

  /** An answer is given. It is kept in the browser first; the page moves on when the server has it. */
  async submit(payload, seconds) {
    clearTimeout(this.draftTimer);
    const { task, step } = this;
    const key = this.outbox.add({ task: task.task, step: step.name, payload, seconds });
    this.drafts.forget(task.task, step.name);
    task.answers = { ...task.answers, [step.name]: payload };
    status.saying("Saving…");
    await this.outbox.running; // an earlier attempt may have begun without this answer
    const { reply, refused, error } = await this.outbox.flush();
    if (error) return this.goOnAlone(task, step);
    if (refused.some((one) => one.key === key)) return this.keepOpen(task, step, payload);
    if (payload.skipped) status.saying("Skipped. Press u to go back to it.");
    if (reply?.feedback?.length) await this.view.showFeedback(reply.feedback);
    return reply ? this.show(reply.next) : this.openNext();
  }

  /** Without the server, the next step can be answered if all its texts are here already. */
  goOnAlone(task, step) {
    const next = this.ahead.without(task, step, this.steps);
    if (next) return this.showStep(next, next.step);
    this.close();
    this.isWaiting = true;
    return showWaiting(() => this.outbox.flush());
  }

  keepOpen(task, step, payload) {
    this.drafts.keep(task.task, step.name, payload);
    delete task.answers[step.name];
    this.showStep(task, step.name);
  }

  /** One browser, two judges: the server knows the judge by a cookie, which the tab opened last has replaced. */
  send(answers) {
    if (read(PRESENT) !== this.owner) throw new api.Refusal(401, "Another link was opened in this browser.");
    return api.sendAnswers(answers);
  }

  sent(outcome) {
    status.afterSending(outcome);
    if (outcome.reply) this.top.progress(outcome.reply.progress);
    if (outcome.reply && !outcome.error && this.isWaiting) this.show(outcome.reply.next);
  }

  async asking(question) {
    const tell = (error) => status.afterSending({ waiting: this.outbox.waiting(), refused: [], error });
    try {
      const answer = await patiently(question, tell);
      if (this.outbox.waiting() === 0) status.solved();
      return answer;
    } catch (error) {
      if (!(error instanceof api.Refusal)) throw error;
      return new Promise(() => {}); // the judge has been told; this page cannot go on
    }
  }
}

/** A campaign may have no sources, or no references. */
function withoutAbsentTexts(task) {
  const present = (text) => (typeof text?.text === "string" ? text : null);
  return { ...task, source: present(task.source), reference: present(task.reference) };
}
