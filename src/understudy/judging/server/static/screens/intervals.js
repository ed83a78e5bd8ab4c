// A value with its confidence interval, drawn on the axis that all systems share.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 160;
const HEIGHT = 16;
const MARGIN = 6;

export function intervalChart({ value, low, high }, all) {
  if (!isNumber(value)) return "–";
  const ends = all.flatMap((one) => [one.low ?? one.value, one.high ?? one.value]).filter(isNumber);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  const x = (at) => MARGIN + ((WIDTH - 2 * MARGIN) * (at - least)) / (most - least || 1);
  const middle = HEIGHT / 2;
  const line = !isNumber(low) ? [] : [shape("line", { x1: x(low), x2: x(high), y1: middle, y2: middle })];
  const chart = shape("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, class: "interval", "aria-hidden": "true" });
  chart.append(...line, shape("circle", { cx: x(value), cy: middle, r: 4 }));
  return chart;
}

function isNumber(value) {
  return typeof value === "number";
}

function shape(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
