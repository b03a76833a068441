// The changes of rows that a search has found, and the search itself: it continues by itself until it has found some.
import { el, table, show } from "./dom.js";
import { request } from "./stream.js";
import * as format from "./format.js";

/** The values of a key as a person types them: with commas between the columns, and \, for a comma in a value. */
export const keyValues = (text) => (text === "" ? [] : text.split(/(?<!\\),/).map((part) => part.trim().replaceAll("\\,", ",")));

export class RowSearch {
  /** on: {gtid(text): a GTID that the person wants to see, error(text): why the search failed} */
  constructor(on) {
    this.on = on;
    this.status = el("p", { class: "empty", role: "status" });
    this.cancel = el("button", { type: "button", class: "quiet", hidden: true, onclick: () => this.stop() }, "Cancel");
    this.list = el("div", {});
    this.element = el("div", { id: "search-rows", hidden: true }, el("div", { class: "pages" }, this.status, this.cancel), this.list);
    this.abort = null;
  }

  /** Ends the search; the node stops when the connection is closed. */
  stop() {
    this.abort?.abort();
    this.abort = null;
    this.cancel.hidden = true;
  }

  clear() {
    this.stop();
    this.status.textContent = "";
    show(this.list);
    this.element.hidden = true;
  }

  /** Searches from a place on. */
  async run(query, after = "") {
    this.clear();
    const abort = new AbortController();
    this.abort = abort;
    this.element.hidden = false;
    this.cancel.hidden = false;
    this.status.textContent = "Searching …";
    let place = after;
    let first = "";
    try {
      for (;;) {
        const answer = await request(`rows?${query}&${new URLSearchParams({ after: place })}`, { signal: abort.signal });
        if (!answer.ok) {
          const refusal = (await answer.text()).trim();
          this.clear(); // this ends the connection
          this.on.error(refusal);
          return;
        }
        const page = await answer.json();
        first ||= page.first;
        const isStuck = page.next !== null && page.next === place;
        if (page.rows.length > 0 || page.next === null || isStuck) {
          this.found(page, first, query, isStuck);
          return;
        }
        place = page.next;
        this.status.textContent = `Searching … nothing up to ${page.lastTime ? `${page.lastTime} UTC, ` : ""}${page.last}`;
      }
    } catch {
      if (!abort.signal.aborted) {
        this.clear();
        this.on.error("The node does not answer.");
      } else if (this.abort === null) {
        this.status.textContent = place ? `Cancelled after transaction ${place.split(":")[0]}.` : "Cancelled.";
      }
    } finally {
      if (this.abort === abort || this.abort === null) {
        this.cancel.hidden = true;
      }
    }
  }

  found(page, first, query, isStuck) {
    const count = page.rows.length;
    const range = page.last ? ` in the transactions ${first} to ${page.last}` : "";
    this.status.textContent = isStuck
      ? `${page.last ? `Transaction ${page.last}` : "The place in the binlog"} takes longer to read than a search may take: use tributary log.`
      : `${count === 0 ? "No such changes" : count === 1 ? "1 change" : `${count} changes`}${range}.${page.next === null ? "" : " There may be more."}`;
    show(
      this.list,
      page.needed ? el("p", { class: "empty" }, `Values of rows need ${page.needed}.`) : null,
      count > 0 ? table("Changes of rows", this.columns(page.showsValues), page.rows) : null,
      page.next === null || isStuck ? null : el("button", { type: "button", class: "quiet", "data-key": "rows next", onclick: () => this.run(query, page.next) }, `Continue after transaction ${page.next.replace(/:.*/, "")}`),
    );
  }

  columns(showsValues) {
    const gtid = (row) => el("button", { type: "button", class: "linklike", "aria-label": `Events of transaction ${row.gtid}`, onclick: () => this.on.gtid(row.gtid) }, el("code", {}, row.gtid));
    return [
      { title: "Committed", cell: (row) => row.time.slice(0, 23) },
      { title: "Change", cell: (row) => (row.op === "UNREADABLE" ? "not readable" : row.op) },
      { title: "Table", cell: (row) => row.table ?? row.schema ?? "" },
      ...(showsValues ? [{ title: "Key", cell: (row) => (row.key ? values(row.key) : null) }] : []),
      { title: showsValues ? "Values" : "Changed columns", cell: (row) => content(row), isText: true },
      { title: "Transaction", cell: gtid },
    ];
  }
}

function content(row) {
  if (row.text !== undefined) {
    return el("code", {}, row.text);
  }
  if (!row.values) {
    return row.changed.length > 0 ? row.changed.join(", ") : null;
  }
  return row.op === "UPDATE" ? row.changed.map((name) => el("div", {}, `${name}: `, value(row.before[name]), " → ", value(row.values[name]))) : values(row.values);
}

const values = (all) => Object.entries(all).map(([name, each]) => el("div", {}, `${name}: `, value(each)));

function value(each) {
  return each === null ? el("span", { class: "age" }, "NULL") : typeof each === "object" ? el("span", { class: "age" }, `${format.count(each.bytes)} bytes`) : el("code", {}, each === "" ? "''" : each);
}
