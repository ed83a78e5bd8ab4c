// The marks on one output: its own, and the prefilled ones as kept, changed or removed.

export class Marks {
  /**
   * @param prefilled  marks that the campaign proposes: {start, end, text, side, category, severity}
   * @param saved      an earlier answer for this output: {spans, removed}, or null
   */
  constructor(prefilled, saved) {
    this.prefilled = prefilled;
    this.removed = new Set(saved?.removed ?? []);
    this.list = saved ? saved.spans.map((span) => ({ ...span })) : prefilled.map(proposed);
    this.sort();
  }

  /** A mark {start, end, text, side, category, severity}: a new one, or a change of the one that covers the same text. */
  put(mark) {
    const same = mark.start < mark.end && this.list.find((one) => ["start", "end", "side"].every((field) => one[field] === mark[field]));
    if (!same) return this.add(mark);
    this.change(same, { severity: mark.severity, category: mark.category ?? same.category });
    return same;
  }

  add(mark) {
    const added = { ...mark, origin: "judge", prefilled: null };
    this.list.push(added);
    this.sort();
    return added;
  }

  change(mark, changes) {
    Object.assign(mark, changes);
    if (mark.prefilled !== null) mark.origin = equal(mark, this.prefilled[mark.prefilled]) ? "kept" : "changed";
  }

  remove(mark) {
    this.list.splice(this.list.indexOf(mark), 1);
    if (mark.prefilled !== null) this.removed.add(mark.prefilled);
  }

  restore(index) {
    this.removed.delete(index);
    this.list.push(proposed(this.prefilled[index], index));
    this.sort();
  }

  sort() {
    this.list.sort((a, b) => a.start - b.start || a.end - b.end);
  }
}

function proposed(span, index) {
  return { ...span, origin: "kept", prefilled: index };
}

function equal(mark, span) {
  const original = proposed(span, mark.prefilled);
  return ["start", "end", "side", "category", "severity"].every((field) => mark[field] === original[field]);
}
