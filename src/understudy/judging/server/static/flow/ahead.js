// The tasks that come next, fetched before they are needed: a judge can go on for a while without the server.

import * as api from "../api.js";

const HOW_MANY = 5;

export class Ahead {
  /** @param waiting  how many answers are waiting to be sent: the server is not asked then */
  constructor(waiting) {
    this.waiting = waiting;
    this.tasks = new Map(); // by position
  }

  /** Fetch the tasks after this one, where their order is known. A failure is no harm: they are asked for again later. */
  async fetchAfter({ position, count }) {
    for (const known of this.tasks.keys()) if (known <= position) this.tasks.delete(known);
    if (!count || !navigator.onLine || this.waiting() > 0 || this.isFetching) return;
    this.isFetching = true;
    try {
      for (let next = position + 1; next <= Math.min(position + HOW_MANY, count); next += 1) {
        if (!this.tasks.has(next)) this.tasks.set(next, await api.taskAt(next));
      }
    } catch {
      // The network is gone, or the task is not to be had yet.
    } finally {
      this.isFetching = false;
    }
  }

  firstOpen(steps) {
    const isOpen = (task) => steps.some((step) => !(step.name in task.answers)) && !Object.values(task.answers).some((answer) => answer.skipped);
    return [...this.tasks.values()].filter(isOpen).sort((a, b) => a.position - b.position)[0] ?? null;
  }

  /** What can be answered after this step without asking the server: a task at its next open step, or null. */
  without(task, step, steps) {
    if (task.practice) return null; // the feedback comes from the server
    const next = steps[steps.indexOf(step) + 1];
    if (!next || task.answers[step.name].skipped) return this.firstOpen(steps);
    const texts = { source: task.source, reference: task.reference, output: task.outputs };
    return next.shows.every((text) => texts[text] !== null) ? { ...task, step: next.name } : null;
  }
}
