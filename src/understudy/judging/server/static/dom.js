// Elements are built from values, never from markup: text of a campaign stays text, whatever it contains.

/** h("button", {class: "main", onclick: next}, "Next"): an element with attributes, listeners and children. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...children.flat(Infinity).filter(isShown));
  return element;
}

/** A paragraph of a campaign's text in its own language and direction. */
export function written({ text, lang, dir }, tag = "p") {
  return h(tag, { class: "written", lang: lang || null, dir: dir || "auto" }, text);
}

export function button(label, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, label);
}

/** A button's label with the key that does the same. */
export function labelWithKey(label, key) {
  return [label, h("kbd", { "aria-hidden": "true" }, key)];
}

export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter(isShown));
}

let made = 0;

/** An id that no other element of the page has. */
export function freshId(stem) {
  made += 1;
  return `${stem}-${made}`;
}

function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else element.setAttribute(name, value === true ? "" : value);
}

function isShown(child) {
  return child !== null && child !== undefined && child !== false;
}
