// How severe errors look: by weight, from 0 (not counted) to 3, whatever a protocol calls them.

export function severityLook(severities) {
  const weights = [...new Set(severities.map((severity) => severity.weight).filter((weight) => weight > 0))];
  weights.sort((a, b) => a - b);
  const levels = new Map(severities.map(({ name, weight }) => [name, Math.min(weights.indexOf(weight) + 1, 3)]));
  return (name) => `severity-${levels.get(name) ?? 0}`;
}
