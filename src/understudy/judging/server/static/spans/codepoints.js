// Offsets count code points, as Python does; JavaScript's own count UTF-16 units, two for many characters.

export function codePoints(text) {
  return Array.from(text);
}

export function textBetween(text, start, end) {
  return codePoints(text).slice(start, end).join("");
}
