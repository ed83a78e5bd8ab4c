// --- segments ---------------------------------------------------------------------------------------------

const PAGE = 10; // however many segments there are, the page holds so many
const SHOWN_AT_FIRST = 6;

// A segment as an object, from what is packed by kind.
function segmentsOf(data) {
  return data.numbers.map((number, row) => ({
    number,
    document: data.documents[row],
    length: data.lengths[row],
    source: data.sources?.[row] ?? null,
    references: data.references[row].map((text) => data.texts[row][text]),
    outputs: data.outputs[row].map((text) => (text === null ? null : data.texts[row][text])),
    marks: data.outputs[row].map((text) => (text === null ? [] : data.marks[row][text])),
    scores: data.scores.map((ofMetric) => ofMetric[row]),
    trees: data.trees?.[number],
  }));
}

function browse(data) {
  const segments = segmentsOf(data);
  const controls = { search: byId("search"), order: byId("order"), first: byId("first"), second: byId("second"), metric: byId("metric") };
  data.systems.forEach((name, number) => {
    controls.first.append(new Option(name, number));
    controls.second.append(new Option(name, number));
    const box = element("input");
    box.type = "checkbox";
    box.value = number;
    box.checked = number < SHOWN_AT_FIRST;
    byId("shown").append(element("label", "", box, element("bdi", "", name)));
  });
  controls.second.value = data.systems.length > 1 ? "1" : "0";
  data.metrics.forEach((metric, number) => controls.metric.append(new Option(metric.label, number)));
  byId("metric-label").hidden = data.metrics.length < 2;
  const hasTexts = segments.some((segment) => segment.outputs.some((text) => text !== null));
  byId("marks-legend").hidden = !hasTexts;
  controls.search.parentElement.hidden = !hasTexts;
  for (const segment of segments) {
    segment.searched = [segment.source ?? "", ...segment.references, ...segment.outputs, segment.document ?? ""].join("\n").toLocaleLowerCase();
  }

  let found = [], page = 0;

  function find() {
    const words = controls.search.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const metric = Number(controls.metric.value);
    const a = Number(controls.first.value), b = Number(controls.second.value);
    const { lower, target } = data.metrics[metric];
    const worth = (score) => (target !== null ? -Math.abs(score - target) : lower ? -score : score);
    const worths = (segment) => segment.scores[metric].map(worth);
    const spread = (found) => (data.baseline === null
      ? Math.max(...found) - Math.min(...found)
      : Math.max(...found.map((each) => Math.abs(each - found[data.baseline]))));
    // Differences weigh as much as their segments are long; a score is a score, and the longest come first of equals.
    const keys = {
      number: () => 0,
      apart: (segment) => segment.length * spread(worths(segment)),
      first: (segment) => segment.length * (worths(segment)[a] - worths(segment)[b]),
      second: (segment) => segment.length * (worths(segment)[b] - worths(segment)[a]),
      worst: (segment) => -worths(segment)[a],
      best: (segment) => worths(segment)[a],
    };
    const order = controls.order.value;
    const key = keys[order];
    const longestFirst = order === "worst" || order === "best";
    byId("how-ordered").hidden = !hasTexts || !["apart", "first", "second"].includes(order);
    found = segments
      .filter((segment) => words.every((word) => segment.searched.includes(word)))
      .map((segment) => [key(segment), segment])
      .sort(([x, s], [y, t]) => y - x || (longestFirst && t.length - s.length) || s.number - t.number)
      .map(([, segment]) => segment);
    page = 0;
    show();
  }

  function show() {
    const words = controls.search.value.split(/\s+/).filter(Boolean);
    const metric = Number(controls.metric.value);
    const shown = [...byId("shown").querySelectorAll("input:checked")].map((box) => Number(box.value));
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    byId("segment-list").replaceChildren(
      ...found.slice(page * PAGE, (page + 1) * PAGE).map((segment) => card(segment, shown, metric, words)));
    byId("found").textContent = found.length === segments.length
      ? `${found.length.toLocaleString("en")} segments`
      : `${found.length.toLocaleString("en")} of ${segments.length.toLocaleString("en")} segments`;
    byId("page").textContent = `${page + 1} of ${pages}`;
    byId("previous").disabled = page === 0;
    byId("next").disabled = page + 1 >= pages;
  }

  function card(segment, shown, metric, words) {
    const made = element("li", "card");
    made.id = `segment-${segment.number}`;
    made.append(element("p", "segment-head", `Segment ${segment.number}`, segment.document ? ` · ${segment.document}` : ""));
    // The source is in another language, which nobody has said.
    if (segment.source !== null) made.append(row("row source", "source", "", marked(segment.source, [], words), ""));
    segment.references.forEach((text, number) => {
      const who = segment.references.length > 1 ? `reference ${number + 1}` : "reference";
      made.append(row("row reference", who, "", marked(text, [], words)));
    });
    for (const system of shown) {
      const text = segment.outputs[system];
      const score = segment.scores[metric][system];
      made.append(row("row", data.systems[system], score === null ? "" : score.toFixed(data.digits),
        text === null ? [] : marked(text, segment.marks[system], words)));
    }
    if (segment.trees) made.append(treesOf(data, segment, shown));
    return made;
  }

  function row(className, who, score, parts, language = data.language) {
    const text = element("div", "text", ...parts);
    text.dir = "auto";
    text.lang = language ?? ""; // not the page's, where it is not known
    return element("div", className, element("bdi", "who", who), element("span", "score", score), text);
  }

  // The marks count characters, not the halves of them that JavaScript has.
  function marked(text, marks, words) {
    if (text === "") return [element("span", "empty", "(empty)")];
    const characters = Array.from(text);
    const parts = [];
    let done = 0;
    for (let i = 0; i < marks.length; i += 3) {
      const start = done + marks[i], end = start + marks[i + 1];
      parts.push(...searched(characters.slice(done, start).join(""), words));
      parts.push(element("mark", "m" + marks[i + 2], ...searched(characters.slice(start, end).join(""), words)));
      done = end;
    }
    parts.push(...searched(characters.slice(done).join(""), words));
    return parts;
  }

  function searched(text, words) {
    if (!words.length || !text) return text ? [text] : [];
    const pattern = words.map((word) => word.replace(/[.*+?^$\{}()|[\]\\]/g, "\\$&")).join("|");
    return text.split(new RegExp(`(${pattern})`, "giu")).map((piece, i) => (i % 2 ? element("span", "hit", piece) : piece));
  }

  function turn(by) {
    page += by;
    show();
    byId("segments").scrollIntoView();
  }

  controls.search.addEventListener("input", find);
  for (const name of ["order", "first", "second", "metric"]) controls[name].addEventListener("change", find);
  byId("shown").addEventListener("change", show);
  byId("previous").addEventListener("click", () => turn(-1));
  byId("next").addEventListener("click", () => turn(1));
  byId("segment-controls").addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    const writing = event.target.closest("input, select, textarea");
    if (event.key === "/" && !writing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      controls.search.focus();
    }
  });
  find();
}

if (byId("segment-data")) {
  (async () => unpacked(byId("segment-data").textContent).json())().then(browse, (error) => {
    byId("found").textContent = notUnpacked(error);
  });
}
