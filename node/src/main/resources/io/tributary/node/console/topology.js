// Draws the topology: from left to right, or on a narrow screen from top to bottom.
import { svg } from "./dom.js";

const BOX = 46;
const GAP = 12;
const TITLE = 26;

export function picture(model, width, label) {
  return width < 640 ? vertical(model, width, label) : horizontal(model, width, label);
}

function horizontal(model, width, label) {
  const count = model.columns.length;
  const space = Math.min(90, Math.max(40, width * 0.06));
  const boxWidth = Math.min(210, (width - 2 - space * (count - 1)) / Math.max(1, count));
  const used = boxWidth * count + space * (count - 1);
  const begin = Math.max(1, (width - used) / 2);
  const rows = Math.max(1, ...model.columns.map((column) => column.boxes.length));
  const height = TITLE + rows * (BOX + GAP);
  const at = new Map();
  model.columns.forEach((column, c) => {
    column.boxes.forEach((box, r) => at.set(box.id, { x: begin + c * (boxWidth + space), y: TITLE + r * (BOX + GAP), width: boxWidth }));
  });
  const titles = model.columns.map((column, c) => svg("text", { class: "column", x: begin + c * (boxWidth + space), y: 14 }, column.title));
  return drawn(model, at, titles, width, height, label, (from, to) => curve(from.x + from.width, from.y + BOX / 2, to.x, to.y + BOX / 2, true));
}

function vertical(model, width, label) {
  const at = new Map();
  const titles = [];
  const half = (width - 2 - GAP) / 2;
  let y = 0;
  for (const column of model.columns) {
    titles.push(svg("text", { class: "column", x: 1, y: y + 14 }, column.title));
    y += TITLE;
    const isSingle = column.boxes.length === 1;
    let place = 0;
    for (const box of column.boxes) {
      const isWide = isSingle || (box.isLeader && column.boxes.length !== 2);
      if (isWide) {
        at.set(box.id, { x: 1, y, width: width - 2 });
        y += BOX + GAP;
      } else {
        at.set(box.id, { x: 1 + (place % 2) * (half + GAP), y, width: half });
        place++;
        y += place % 2 === 0 ? BOX + GAP : 0;
      }
    }
    y += place % 2 === 1 ? BOX + GAP : 0;
  }
  return drawn({ ...model, lines: rails(model, at) }, at, titles, width, y, label, (from, to) => curve(from.x + from.width / 2, from.y + BOX, to.x + to.width / 2, to.y, false));
}

/** On a narrow screen there is one line between two columns, from the last row of the upper one, so that no line crosses a box. */
function rails(model, at) {
  const columnOf = new Map(model.columns.flatMap((column, c) => column.boxes.map((box) => [box.id, c])));
  const worst = ["ok", "off", "warn", "bad"];
  const found = new Map();
  for (const line of model.lines) {
    const from = columnOf.get(line.from);
    const to = columnOf.get(line.to);
    const last = model.columns[from].boxes[model.columns[from].boxes.length - 1];
    const key = `${from} ${to}`;
    const known = found.get(key);
    if (to === from + 1 && (!known || worst.indexOf(line.level) > worst.indexOf(known.level))) {
      found.set(key, { ...line, from: last.id });
    }
  }
  return [...found.values()].filter((line) => at.get(line.to).y - at.get(line.from).y < 2 * (BOX + GAP) + TITLE);
}

function curve(x1, y1, x2, y2, isHorizontal) {
  const middle = isHorizontal ? (x1 + x2) / 2 : (y1 + y2) / 2;
  return isHorizontal ? `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}` : `M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}`;
}

function drawn(model, at, titles, width, height, label, path) {
  const lines = model.lines.map((line) => {
    const from = at.get(line.from);
    const to = at.get(line.to);
    const shape = line.isCopy && Math.abs(from.x - to.x) < 1 ? beside(from, to) : path(from, to);
    return svg("path", { class: `link ${line.level}${line.isCopy ? " copy" : ""}`, d: shape });
  });
  return svg(
    "svg",
    { class: "topology", viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label },
    titles,
    lines,
    model.columns.flatMap((column) => column.boxes).map((box) => drawBox(box, at.get(box.id))),
  );
}

/** A line from a box to one below it, on their left side. */
function beside(from, to) {
  const x = from.x + 14;
  return `M${x} ${from.y + BOX}L${x} ${to.y}`;
}

function drawBox(box, place) {
  const room = Math.max(4, Math.floor((place.width - 28 - box.side.length * 6.6) / 7.4));
  return svg(
    "g",
    { class: `box ${box.kind} ${box.level}${box.isSelf ? " self" : ""}${box.isLeader ? " leader" : ""}`, transform: `translate(${place.x} ${place.y})` },
    svg("title", {}, `${box.title}: ${box.text}${box.side ? `, ${box.side}` : ""}${box.isSelf ? " (this node)" : ""}`),
    svg("rect", { class: "body", width: place.width, height: BOX, rx: 6 }),
    svg("rect", { class: "stripe", x: 0, y: 8, width: 3, height: BOX - 16, rx: 1.5 }),
    svg("text", { class: "title", x: 14, y: 20 }, cut(box.title, room)),
    svg("text", { class: "text", x: 14, y: 36 }, cut(box.text, Math.floor((place.width - 24) / 6.3))),
    box.side ? svg("text", { class: "side", x: place.width - 10, y: 20, "text-anchor": "end" }, box.side) : null,
    box.isSelf ? svg("text", { class: "side", x: place.width - 10, y: 36, "text-anchor": "end" }, "this node") : null,
  );
}

const cut = (text, most) => (text.length <= most ? text : `${text.slice(0, Math.max(1, most - 1))}…`);
