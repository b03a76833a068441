// Makes and updates elements. Texts are always set as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; a child is a node, a text, or null for none. */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** As el, for SVG. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

/** Characters that change the direction of a text or are not visible, so that a name could look like another one. */
const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** A text in which hidden characters are visible. */
export const visible = (text) => text.replace(HIDDEN, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) {
      continue;
    }
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined) {
      element.append(typeof child === "string" ? visible(child) : child);
    }
  }
  return element;
}

export const byId = (id) => document.getElementById(id);

const shown = new WeakMap(); // the content of each element as it was shown last

/** As show, but not while the person has selected a text in the element, which would be lost. */
export function update(target, ...children) {
  const selection = getSelection();
  if (selection.isCollapsed || !target.contains(selection.anchorNode)) {
    show(target, ...children);
  }
}

/**
 * Replaces the content of an element if it has changed. Focus and open details are kept by the attribute data-key, so that an update does not
 * disturb a person who is using the keyboard or a screen reader.
 */
export function show(target, ...children) {
  const next = document.createElement("div");
  fill(next, {}, children);
  if (shown.get(target) === next.innerHTML) {
    return;
  }
  const focused = target.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  const open = [...target.querySelectorAll("details[open]")].map((each) => each.dataset.key);
  const scrolled = [...target.querySelectorAll(".scroll")].map((each) => each.scrollLeft);
  shown.set(target, next.innerHTML);
  target.replaceChildren(...next.childNodes);
  for (const details of target.querySelectorAll("details")) {
    details.open = open.includes(details.dataset.key);
  }
  [...target.querySelectorAll(".scroll")].forEach((each, i) => {
    each.scrollLeft = scrolled[i] ?? 0;
  });
  if (focused) {
    [...target.querySelectorAll("[data-key]")].find((each) => each.dataset.key === focused && each.tabIndex >= 0)?.focus({ preventScroll: true });
  }
}

const kind = (column) => (column.number ? "number" : column.isChart ? "chart" : column.isText ? "text" : null);

/** A table: columns are {title, number, isChart, cell(row)}; a cell is a text, a node or null. */
export function table(caption, columns, rows, key = null) {
  return el(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": `Table: ${caption}`, "data-key": `table ${caption}` },
    el(
      "table",
      {},
      el("caption", { class: "hidden" }, caption),
      el("thead", {}, el("tr", {}, columns.map((column) => el("th", { scope: "col", class: kind(column) }, column.title)))),
      el(
        "tbody",
        {},
        rows.map((row) =>
          el(
            "tr",
            { "data-row": key ? key(row) : null },
            columns.map((column, i) => {
              const content = column.cell(row);
              return i === 0
                ? el("th", { scope: "row" }, content ?? "")
                : el("td", { class: kind(column) }, content === null || content === undefined ? "–" : content);
            }),
          ),
        ),
      ),
    ),
  );
}

/** A state as a coloured mark with its word. */
export function state(level, word) {
  return el("span", { class: `state ${level}` }, el("i", { class: `mark ${level}`, "aria-hidden": "true" }), word);
}

/** A command to run on a node, with a button that copies it. */
export function command(text, key) {
  return el("div", { class: "command" }, el("code", {}, text), el("button", { type: "button", class: "quiet copy", "data-copy": text, "data-key": `copy ${key}`, "aria-label": `Copy the command ${text}` }, "Copy"));
}

/** A note where a part has nothing to show. */
export const empty = (text) => el("p", { class: "empty" }, text);
