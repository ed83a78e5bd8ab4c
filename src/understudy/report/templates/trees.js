// --- trees ------------------------------------------------------------------------------------------------

// A tree is drawn from the top down, its nodes in lists: parents come before their children, so that one way
// through the lists takes the place of recursion, and a tree may be as deep as it likes.

// The height of a node, of a word under it and of the lines to the next row, and what is left between nodes.
const BOX = 20, WORD = 16, LINES = 20, GAP = 8;
const SHADES = 4; // as many as there are colors
const openTrees = new Set(); // the segments whose trees are seen: they stay so when the page is drawn anew

const ruler = document.createElement("canvas").getContext("2d");
const widthOf = (text) => ruler.measureText(text).width;

function drawing(name, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function treesOf(data, segment, shown) {
  const details = element("details", "trees", element("summary", "", "Trees"));
  const panel = element("div", "");
  details.append(panel);
  details.addEventListener("toggle", () => {
    if (details.open) openTrees.add(segment.number); else openTrees.delete(segment.number);
    if (details.open && !panel.hasChildNodes()) fill();
  });
  details.open = openTrees.has(segment.number);

  function fill() {
    const views = data.views.map((view, number) => [view.label, number]).filter(([, number]) => segment.trees[number]);
    const view = chooser("Kind of tree", views);
    const references = chooser("Reference", segment.references.map((_, number) => [`reference ${number + 1}`, number]));
    const trees = element("div", "");
    panel.append(element("div", "tree-controls", view.label, references.label), trees);
    const draw = () => trees.replaceChildren(...pairs(Number(view.select.value), Number(references.select.value)));
    view.select.addEventListener("change", draw);
    references.select.addEventListener("change", draw);
    draw();
  }

  function chooser(name, entries) {
    const select = element("select", "");
    for (const [text, value] of entries) select.append(new Option(text, value));
    const label = element("label", "", name, select);
    label.hidden = entries.length < 2;
    return { select, label };
  }

  function pairs(number, reference) {
    const view = data.views[number], trees = segment.trees[number];
    const who = trees.references.length > 1 ? `reference ${reference + 1}` : "reference";
    return [legend(view, trees.references.length), ...shown.map((system) => element("div", "tree-pair",
      figure(data.systems[system], trees.outputs[system], trees.marks[system], view, data.language),
      figure(who, trees.references[reference], trees.referenceMarks[system][reference], view, data.language)))];
  }

  return details;
}

function legend(view, references) {
  const said = element("p", "legend", "Marked: ");
  const deepest = Math.min(view.depth, SHADES);
  for (let depth = view.least; depth <= deepest; depth++) {
    const more = depth === SHADES && view.depth > SHADES ? " or more" : "";
    said.append(element("mark", "m" + depth, depth + more));
  }
  const here = references > 1 ? "any reference" : "the reference";
  said.append(view.part === "chain"
    ? ` words in a headword chain that matches ${here}; lines connect the words of a chain.`
    : ` levels of a subtree that matches ${here}; lines connect the nodes of a subtree.`);
  said.append(" In the reference tree: nodes that the hypothesis matches. Nodes without color do not match.");
  if (view.kind === "constituents") said.append(" Words are not compared.");
  return said;
}

function figure(who, tree, marks, view, language) {
  const caption = element("figcaption", "", element("bdi", "", who));
  if (!tree.labels.length) return element("figure", "", caption, element("span", "empty", "(no tree)"));
  const { svg, direction } = drawn(tree, marks, view);
  svg.setAttribute("lang", language ?? ""); // not the page's, where it is not known
  svg.setAttribute("aria-label", `${who}: ${bracketed(tree)}`);
  const box = element("div", "tree-box", svg);
  box.dir = direction; // a wide tree is seen from where its text begins
  box.tabIndex = 0; // so that keys scroll it
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", `${view.kind} of ${who}`);
  const made = element("figure", "", caption, box);
  made.style.minWidth = `min(100%, ${Number(svg.getAttribute("width")) + 4}px)`; // side by side where both fit
  return made;
}

// How deep the deepest matching part is that a node is in, and the line to its parent.
function shades(tree, marks, children, { part, least }) {
  const nodes = marks.map(() => 0), lines = marks.map(() => 0);
  marks.forEach((depth, start) => {
    if (depth < least) return;
    let row = [start];
    for (let level = 0; level < depth; level++) {
      const next = [];
      for (const node of row) {
        nodes[node] = Math.max(nodes[node], depth);
        // Downwards the line led here, upwards it leads on.
        const crossed = part === "chain" ? level + 1 < depth : level > 0;
        if (crossed) lines[node] = Math.max(lines[node], depth);
        if (part === "chain") next.push(tree.parents[node]);
        else for (const child of children[node]) next.push(child);
      }
      row = next;
    }
  });
  return { nodes, lines };
}

// Where nodes stand. Constituents stand over their children, words of dependencies in the order of the text.
function layout(tree, children, widths) {
  const count = tree.labels.length;
  const levels = tree.parents.map(() => 0), x = new Array(count).fill(0);
  for (let node = 0; node < count; node++) {
    if (tree.parents[node] >= 0) levels[node] = levels[tree.parents[node]] + 1;
  }
  let right = 0;
  if (tree.places) {
    const inOrder = new Array(count);
    tree.places.forEach((place, node) => { inOrder[place] = node; });
    for (const node of inOrder) {
      x[node] = right + widths[node] / 2;
      right += widths[node];
    }
    return { x, levels, width: right };
  }
  const below = new Array(count).fill(0), whole = new Array(count), left = new Array(count).fill(0);
  for (let node = count - 1; node >= 0; node--) {
    whole[node] = Math.max(widths[node], below[node]);
    if (tree.parents[node] >= 0) below[tree.parents[node]] += whole[node];
  }
  for (let node = 0; node < count; node++) {
    const parent = tree.parents[node];
    const start = parent < 0 ? right : left[parent];
    if (parent < 0) right += whole[node]; else left[parent] += whole[node];
    x[node] = start + whole[node] / 2;
    left[node] = start + (whole[node] - below[node]) / 2; // where its first child begins, then the next
  }
  for (let node = count - 1; node >= 0; node--) {
    if (children[node].length) x[node] = (x[children[node][0]] + x[children[node].at(-1)]) / 2;
  }
  return { x, levels, width: right };
}

function drawn(tree, marks, view) {
  ruler.font = `13px ${getComputedStyle(document.body).fontFamily}`;
  const children = tree.labels.map(() => []);
  tree.parents.forEach((parent, node) => { if (parent >= 0) children[parent].push(node); });
  const words = tree.words ?? tree.labels.map(() => null);
  const labelWidths = tree.labels.map(widthOf);
  const widths = labelWidths.map((width, node) => Math.max(width + 8, words[node] === null ? 0 : widthOf(words[node])) + GAP);
  const { x, levels, width } = layout(tree, children, widths);
  const { nodes, lines } = shades(tree, marks, children, view);
  const backwards = rightToLeft(tree.words ? words : tree.labels);
  const at = (node) => (backwards ? width - x[node] : x[node]);
  const level = BOX + LINES + (tree.words && tree.places ? WORD : 0); // words under constituents hang in the lines
  const top = (node) => levels[node] * level;
  const under = [], over = [], texts = [];
  tree.labels.forEach((label, node) => {
    const parent = tree.parents[node];
    if (parent >= 0) {
      const start = top(parent) + BOX + (words[parent] === null ? 0 : WORD);
      const line = drawing("line", { x1: at(parent), y1: start, x2: at(node), y2: top(node), class: lines[node] ? "match" : "under" });
      (lines[node] ? over : under).push(line);
    }
    const shade = Math.min(nodes[node], SHADES);
    if (shade) {
      const box = { x: at(node) - labelWidths[node] / 2 - 4, y: top(node), width: labelWidths[node] + 8, height: BOX, rx: 4, class: "m" + shade };
      texts.push(drawing("rect", box));
    }
    texts.push(drawing("text", { x: at(node), y: top(node) + BOX / 2 }, label));
    if (words[node] !== null) texts.push(drawing("text", { x: at(node), y: top(node) + BOX + WORD / 2, class: "word" }, words[node]));
  });
  const height = levels.reduce((deepest, own) => Math.max(deepest, own), 0) * level + BOX + (tree.words ? WORD + 4 : 0);
  const size = { width: Math.ceil(width), height, viewBox: `0 0 ${Math.ceil(width)} ${height}` };
  const svg = drawing("svg", { ...size, class: "tree", role: "img" }, ...under, ...over, ...texts);
  return { svg, direction: backwards ? "rtl" : "ltr" };
}

// Whether the first letter of a text is of a script that runs from right to left.
function rightToLeft(words) {
  const letter = words.join(" ").match(/\p{L}/u);
  return letter !== null && /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(letter[0]);
}

function bracketed(tree) {
  const open = [], parts = [];
  tree.labels.forEach((label, node) => {
    while (open.length && open.at(-1) !== tree.parents[node]) {
      open.pop();
      parts.push(")");
    }
    parts.push(node ? " (" : "(", label);
    open.push(node);
    if (tree.words && tree.words[node] !== null) parts.push(" ", tree.words[node]);
  });
  return parts.join("") + ")".repeat(open.length);
}
