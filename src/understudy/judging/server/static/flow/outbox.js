// Answers on their way to the server. Each is kept in the browser, with a key of its own, before it is sent, and
// removed only after the server has confirmed it: it survives closing the tab and is stored once, however often it is sent.

import { Unreachable } from "../api.js";
import { keys, read, remove, write } from "../storage.js";

const PREFIX = "understudy/outbox/";
const BATCH = 20;
const UNREADABLE = new Set([400, 413]); // a request as a whole, malformed or too large: one of its answers is the cause
const PAUSES = [1, 2, 4, 8, 15, 30];

export class Outbox {
  /**
   * @param owner   whose answers: a second judge in the same browser must not send them
   * @param send    posts a list of answers, returns the server's reply
   * @param report  is told after every attempt: {waiting, reply, refused, error}
   */
  constructor(owner, send, report) {
    this.prefix = `${PREFIX}${encodeURIComponent(owner)}/`;
    this.send = send;
    this.report = report;
    this.attempts = 0;
    this.running = null;
    this.timer = null;
    this.lastTime = 0;
    window.addEventListener("online", () => this.flush());
    document.addEventListener("visibilitychange", () => document.hidden || this.waiting() === 0 || this.flush());
  }

  /** Keep an answer, with a fresh key. An unsent draft of the same step is replaced. */
  add(answer) {
    for (const [key, kept] of this.entries()) {
      if (kept.payload.final === false && kept.task === answer.task && kept.step === answer.step) remove(key);
    }
    const entry = { key: randomKey(), ...answer };
    this.lastTime = Math.max(Date.now(), this.lastTime + 1);
    write(`${this.prefix}${String(this.lastTime).padStart(15, "0")}-${entry.key}`, entry);
    return entry.key;
  }

  waiting() {
    return keys(this.prefix).length;
  }

  /** The last answer to a step that the server has not confirmed yet. */
  unsent(task, step) {
    const kept = this.entries().filter(([, entry]) => entry.task === task && entry.step === step);
    return kept.at(-1)?.[1].payload ?? null;
  }

  /** Send what is waiting, in order; resolves when nothing is waiting or the server cannot be reached. */
  flush() {
    clearTimeout(this.timer);
    this.running ??= this.sendAll().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  async sendAll() {
    const refused = [];
    let reply = null;
    let size = BATCH;
    const last = keys(this.prefix).at(-1); // what is added meanwhile has an attempt, and an outcome, of its own
    for (let batch = this.batch(size, last); batch.length > 0; batch = this.batch(size, last)) {
      try {
        reply = await this.send(batch.map(([, entry]) => entry));
      } catch (error) {
        if (UNREADABLE.has(error.status)) {
          if (batch.length === 1) refused.push(this.giveUp(batch[0], error));
          size = 1; // one answer at a time
          continue;
        }
        if (error instanceof Unreachable) this.tryLater();
        return this.stop({ reply, refused, error });
      }
      const settled = new Set([...reply.stored, ...reply.refused.map((one) => one.key)]);
      for (const [key, entry] of batch) if (settled.has(entry.key)) remove(key);
      refused.push(...reply.refused);
      if (settled.size === 0) break;
    }
    this.attempts = 0;
    return this.stop({ reply, refused, error: null });
  }

  /** An answer that cannot be read by itself either: it must not hold up the others. */
  giveUp([key, entry], error) {
    remove(key);
    return { key: entry.key, error: error.message };
  }

  stop(outcome) {
    const whole = { waiting: this.waiting(), ...outcome };
    this.report(whole);
    return whole;
  }

  tryLater() {
    const pause = PAUSES[Math.min(this.attempts, PAUSES.length - 1)];
    this.attempts += 1;
    this.timer = setTimeout(() => this.flush(), pause * 1000);
  }

  batch(size, last) {
    return this.entries().filter(([key]) => key <= last).slice(0, size);
  }

  entries() {
    return keys(this.prefix).map((key) => [key, read(key)]).filter(([, entry]) => entry !== null);
  }
}

/** A UUID; crypto.randomUUID exists only on https and localhost, and campaigns run on plain local networks too. */
export function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
