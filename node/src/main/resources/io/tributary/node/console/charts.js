// Small line charts. The points come from the node's last minutes and from the events since then.
import { svg, el } from "./dom.js";

const MOST = 300;
const LEAST = 30; // the width of a chart is at least one minute
const WIDTH = 160;
const HEIGHT = 36;

/** The totals over time; rates are their differences. */
export class History {
  constructor() {
    this.points = [];
  }

  /** From the event history: names and rows of values. */
  reset(all) {
    this.points = all.points.map((row) => Object.fromEntries(all.names.map((name, i) => [name, row[i]])));
  }

  add(millis, totals) {
    const last = this.points[this.points.length - 1];
    if (last && last.millis >= millis) {
      return;
    }
    this.points.push({ millis, ...totals });
    if (this.points.length > MOST) {
      this.points.shift();
    }
  }

  /** The values of a gauge over time. */
  gauge(name) {
    return this.points.map((point) => number(point[name]));
  }

  /** A counter's growth in a second over time, each over about six seconds; a restart of the node gives no negative rate. */
  rates(name) {
    const rates = [];
    for (let i = 1; i < this.points.length; i++) {
      const from = this.points[Math.max(0, i - 3)];
      const to = this.points[i];
      const grown = number(to[name]) - number(from[name]);
      rates.push(grown >= 0 ? (grown * 1000) / (to.millis - from.millis) : null);
    }
    return rates;
  }
}

const number = (value) => (typeof value === "number" ? value : NaN);

/** The newest value that is known. */
export function newest(values) {
  const last = values[values.length - 1];
  return typeof last === "number" && Number.isFinite(last) ? last : NaN;
}

/** A line with a filled area below it; label is read by screen readers. */
export function sparkline(values, label) {
  const shown = values.slice(-MOST).map((value) => (typeof value === "number" && Number.isFinite(value) ? value : null));
  const top = Math.max(1e-9, ...shown.map((value) => value ?? 0));
  const step = WIDTH / (Math.max(LEAST, shown.length) - 1);
  const begin = WIDTH - step * (shown.length - 1);
  const parts = [];
  let part = [];
  shown.forEach((value, i) => {
    if (value === null) {
      part = [];
      return;
    }
    if (part.length === 0) {
      parts.push(part);
    }
    part.push([begin + i * step, HEIGHT - 2 - (value / top) * (HEIGHT - 5)]);
  });
  const text = (points) => points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", class: "spark", role: "img", "aria-label": label },
    svg("line", { x1: 0, x2: WIDTH, y1: HEIGHT - 1.5, y2: HEIGHT - 1.5, class: "base" }),
    parts.map((points) => [
      svg("polygon", { class: "area", points: `${points[0][0].toFixed(1)},${HEIGHT - 2} ${text(points)} ${points[points.length - 1][0].toFixed(1)},${HEIGHT - 2}` }),
      svg("polyline", { class: "line", points: text(points), "vector-effect": "non-scaling-stroke" }),
    ]),
  );
}

/** A figure: its name, value and chart. */
export function figure(name, value, unit, values, level = "") {
  return el(
    "div",
    { class: `figure ${level}` },
    el("div", { class: "name" }, name),
    el("div", { class: "value" }, value, unit ? el("span", { class: "unit" }, ` ${unit}`) : null),
    values ? sparkline(values, `${name}, the last ${Math.round((values.length * 2) / 60) || 1} min, now ${value} ${unit}`) : el("div", { class: "spark none" }),
  );
}
