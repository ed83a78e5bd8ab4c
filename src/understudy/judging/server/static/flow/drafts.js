// What a judge has begun but not submitted: kept in the browser, so that a reload loses nothing.

import { keys, read, remove, write } from "../storage.js";

const PREFIX = "understudy/draft/";

export class Drafts {
  constructor(owner) {
    this.prefix = `${PREFIX}${encodeURIComponent(owner)}/`;
  }

  keep(task, step, payload) {
    write(this.key(task, step), payload);
  }

  of(task, step) {
    return read(this.key(task, step));
  }

  forget(task, step) {
    remove(this.key(task, step));
  }

  forgetAll() {
    for (const key of keys(this.prefix)) remove(key);
  }

  key(task, step) {
    return `${this.prefix}${encodeURIComponent(task)}/${encodeURIComponent(step)}`;
  }
}
