// The pieces of a text that can be marked: words and punctuation marks, or characters as a reader sees them.

import { codePoints } from "./codepoints.js";

const MOST_FOR_CHARACTERS = 10_000;
const MOST_FOR_WORDS = 100_000;

/** All pieces in order, without gaps: {start, end, text, space}; offsets are code points. */
export function unitsOf(text, by, lang) {
  const granularity = granularityFor(text, by);
  const units = [];
  let start = 0;
  for (const { segment } of segmenter(lang, granularity).segment(text)) {
    const end = start + codePoints(segment).length;
    units.push({ start, end, text: segment, space: segment.trim() === "" });
    start = end;
  }
  return units;
}

/** The range that covers every unit it touches, without whitespace at its ends; null if nothing else is in it. */
export function snapped(units, start, end) {
  const touched = units.filter((unit) => unit.start < end && unit.end > start && !unit.space);
  if (touched.length === 0) return null;
  return { start: touched[0].start, end: touched.at(-1).end };
}

/** Every piece is an element of the page: an endless text is cut into larger ones. */
function granularityFor(text, by) {
  if (text.length > MOST_FOR_WORDS) return "sentence";
  return by === "characters" && text.length <= MOST_FOR_CHARACTERS ? "grapheme" : "word";
}

function segmenter(lang, granularity) {
  try {
    return new Intl.Segmenter(lang || undefined, { granularity });
  } catch {
    return new Intl.Segmenter(undefined, { granularity }); // not a language code that browsers know
  }
}
