"use strict";

const byId = (id) => document.getElementById(id);

function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

// What the page holds compressed, as a response that can be read in any way.
function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (character) => character.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")));
}

const notUnpacked = (error) => `This browser cannot unpack this part (${error.message}). Open the file in a newer one.`;

// --- light and dark ---------------------------------------------------------------------------------------

byId("theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("understudy-theme", root.dataset.theme); } catch { /* a private window */ }
});

// --- tables that can be sorted ----------------------------------------------------------------------------

function makeSortable(table) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = element("button", "sort", ...head.childNodes);
    button.type = "button";
    head.append(button);
    button.addEventListener("click", () => {
      const numeric = head.classList.contains("n");
      // Numbers begin with the largest, names with A.
      const ascending = head.ariaSort ? head.ariaSort === "descending" : !numeric;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const key = (row) => {
        const cell = row.cells[column];
        if (!numeric) return cell.textContent.trim();
        const number = parseFloat(cell.dataset.value ?? cell.textContent);
        return Number.isNaN(number) ? -Infinity : number;
      };
      const order = numeric ? (a, b) => a - b : (a, b) => a.localeCompare(b, undefined, { numeric: true });
      const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]);
      rows.sort(([a], [b]) => (ascending ? order(a, b) : order(b, a)));
      for (const [, row] of rows) {
        row.classList.remove("begins"); // clusters are no blocks in any other order
        table.tBodies[0].append(row);
      }
    });
  });
}

document.querySelectorAll("table.sortable").forEach(makeSortable);

// --- copies and downloads ---------------------------------------------------------------------------------

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    } catch { // not allowed: select it, so that a key does it
      getSelection().selectAllChildren(button.parentElement.querySelector("code"));
    }
  });
}

function save(blob, name) {
  const link = element("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

for (const button of document.querySelectorAll("[data-file]")) {
  button.addEventListener("click", async () => {
    try {
      const file = await unpacked(button.dataset.packed).blob();
      save(new Blob([file], { type: `${button.dataset.kind};charset=utf-8` }), button.dataset.file);
    } catch (error) {
      button.textContent = notUnpacked(error);
    }
  });
}

// A chart as a file of its own, in the colors that it has on the page now.
function standalone(figure) {
  const shown = [...figure.querySelectorAll("svg")].find((svg) => svg.getBoundingClientRect().width > 0);
  const copy = shown.cloneNode(true);
  const ink = getComputedStyle(figure).color, paper = getComputedStyle(figure).backgroundColor;
  copy.style.color = ink;
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  ground.setAttribute("width", "100%");
  ground.setAttribute("height", "100%");
  ground.setAttribute("fill", paper);
  copy.prepend(ground);
  const width = Number(copy.getAttribute("width")), height = Number(copy.getAttribute("height"));
  return { text: new XMLSerializer().serializeToString(copy).replaceAll("currentColor", ink), width, height };
}

for (const button of document.querySelectorAll("[data-save]")) {
  button.addEventListener("click", () => {
    const { text, width, height } = standalone(button.closest("figure"));
    const blob = new Blob([text], { type: "image/svg+xml" });
    if (button.dataset.save === "svg") {
      save(blob, button.dataset.name + ".svg");
      return;
    }
    const image = new Image();
    image.onload = () => {
      const canvas = element("canvas");
      canvas.width = 2 * width;
      canvas.height = 2 * height;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((png) => save(png, button.dataset.name + ".png"));
    };
    image.src = URL.createObjectURL(blob);
  });
}

// --- what is unpacked when it is asked for ----------------------------------------------------------------

for (const folded of document.querySelectorAll("[data-folded]")) {
  const details = folded.closest("details");
  details.addEventListener("toggle", async () => {
    if (!details.open || !folded.dataset.folded) return;
    const packed = folded.dataset.folded;
    delete folded.dataset.folded;
    try {
      folded.innerHTML = await unpacked(packed).text();
      folded.querySelectorAll("table.sortable").forEach(makeSortable);
    } catch (error) {
      folded.textContent = notUnpacked(error);
    }
  });
}

const phone = matchMedia("(max-width: 640px)");

// Until then, and without this script, phones show the charts of wide screens, only smaller.
async function drawForPhones() {
  const packed = byId("narrow-charts");
  if (!phone.matches || !packed || !window.DecompressionStream) return;
  packed.remove();
  for (const [name, chart] of Object.entries(await unpacked(packed.textContent).json())) {
    const figure = byId(`figure-${name}`);
    figure.querySelector(".narrow").innerHTML = chart;
    figure.classList.add("drawn-for-phones");
    nameMarks(figure.querySelector(".narrow"));
  }
}

phone.addEventListener("change", drawForPhones);
drawForPhones();

// Marks of charts say what they are to who points at them.
function nameMarks(chart) {
  for (const mark of chart.querySelectorAll("svg [aria-label]")) {
    if (mark.closest(".role-axis, .role-legend")) continue;
    const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
    title.textContent = mark.getAttribute("aria-label");
    mark.append(title);
  }
}

document.querySelectorAll(".chart .wide").forEach(nameMarks);

// So do the cells of a matrix, whose sentences stand in the verdict.
for (const cell of document.querySelectorAll("[data-said]")) {
  cell.title = byId(cell.closest("table").dataset.sentences).children[cell.dataset.said].textContent;
}
