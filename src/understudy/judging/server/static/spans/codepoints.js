// Offsets count code points, as Python does; JavaScript's own count UTF-16 units, two for many characters.

export function codePoints(text) {
  return Array.from(text);
}

/** A text for a list: a long one without its middle. */
export function shortened(text, most = 120) {
  const points = codePoints(text);
  return points.length <= most ? text : `${points.slice(0, most / 2).join("")} … ${points.slice(-most / 2).join("")}`;
}

export function textBetween(text, start, end) {
  return codePoints(text).slice(start, end).join("");
}
