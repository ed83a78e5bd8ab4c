// The browser's own storage; a browser that forbids it still works, but forgets with the tab.

const memory = new Map();
let persistent = true;

export function read(key) {
  try {
    const text = localStorage.getItem(key) ?? memory.get(key) ?? null;
    return text === null ? null : JSON.parse(text);
  } catch {
    return memory.has(key) ? JSON.parse(memory.get(key)) : null;
  }
}

export function write(key, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(key, text);
    memory.delete(key);
  } catch {
    persistent = false;
    memory.set(key, text);
  }
}

export function remove(key) {
  memory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    persistent = false;
  }
}

/** All keys with this beginning, in order. */
export function keys(prefix) {
  const found = new Set(memory.keys());
  try {
    for (let i = 0; i < localStorage.length; i += 1) found.add(localStorage.key(i));
  } catch {
    persistent = false;
  }
  return [...found].filter((key) => key.startsWith(prefix)).sort();
}

/** Whether what was written survives closing the tab. */
export function survivesClosing() {
  return persistent;
}
