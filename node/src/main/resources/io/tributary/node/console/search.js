// Search of the binlog: the position of a GTID, a time or a TSO, and the events from there on.
import { el, byId, table, show } from "./dom.js";
import { request } from "./stream.js";

const KINDS = {
  gtid: { title: "GTID", example: "3e11fa47-71ca-11e1-9e33-c80aa9429562:23" },
  time: { title: "Time", example: "2026-11-28 10:00:00" },
  tso: { title: "TSO", example: "7032412321234567168" },
};

/** Makes the form once; it is shown only to readers with a login. */
export class Search {
  constructor(target, onLogIn) {
    this.target = target;
    this.onLogIn = onLogIn;
    this.isShown = null;
  }

  update(isOperator) {
    if (this.isShown === isOperator) {
      return;
    }
    this.isShown = isOperator;
    this.target.replaceChildren(isOperator ? this.form() : el("p", { class: "empty" }, "The binlog contains rows: ", el("button", { type: "button", class: "linklike", onclick: this.onLogIn }, "log in"), " to search it."));
  }

  form() {
    const kind = el("select", { id: "search-kind", onchange: () => value.setAttribute("placeholder", KINDS[kind.value].example) }, Object.entries(KINDS).map(([name, each]) => el("option", { value: name }, each.title)));
    const value = el("input", { id: "search-value", placeholder: KINDS.gtid.example, autocomplete: "off", spellcheck: "false", maxlength: 256, "aria-describedby": "search-error" });
    const tables = el("input", { id: "search-table", placeholder: "all, or shop.orders, shop.item*", autocomplete: "off", spellcheck: "false", maxlength: 512 });
    this.error = el("p", { class: "error", id: "search-error", role: "alert" });
    this.found = el("div", { id: "search-found", "aria-live": "polite" });
    this.events = el("div", { id: "search-events" });
    const form = el(
      "form",
      { class: "search", role: "search", "aria-label": "Binlog" },
      el("label", { class: "field" }, el("span", {}, "Find by"), kind),
      el("label", { class: "field wide" }, el("span", {}, "Value"), value),
      el("label", { class: "field wide" }, el("span", {}, "Only tables"), tables),
      el("button", { type: "submit", class: "primary" }, "Find"),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.find(kind.value, value.value.trim(), tables.value.trim());
    });
    return el("div", {}, form, this.error, this.found, this.events, el("p", { class: "empty" }, "The same on the command line: ", el("code", {}, "tributary find"), ". Values of rows are shown only there, by ", el("code", {}, "tributary log"), "."));
  }

  async find(kind, value, tables) {
    this.error.textContent = "";
    show(this.found);
    show(this.events);
    if (value === "") {
      this.error.textContent = `Expected a ${KINDS[kind].title} such as ${KINDS[kind].example}, found nothing.`;
      byId("search-value").focus();
      return;
    }
    const position = await this.json(`../find?${new URLSearchParams({ [kind]: value })}`);
    if (!position) {
      return;
    }
    const { File: file, Position: offset, Gtid: gtid, Commit_time: time, Tso: tso, Note: note } = position;
    show(
      this.found,
      el(
        "dl",
        { class: "facts" },
        [["Position", `${file}:${offset}`], ["Transaction", gtid], ["Committed", time], ["TSO", tso], ["Note", note]].filter(([, text]) => text).map(([name, text]) => el("div", {}, el("dt", {}, name), el("dd", {}, el("code", {}, text)))),
      ),
    );
    await this.list(file, offset, tables);
  }

  async list(file, from, tables) {
    const page = await this.json(`binlog?${new URLSearchParams({ file, from, table: tables })}`);
    if (!page) {
      return;
    }
    const code = (name) => (row) => el("code", {}, row[name]);
    show(
      this.events,
      page.events.length === 0 ? el("p", { class: "empty" }, "No such events in the part of the file that was searched.") : table("Events of the binlog", [{ title: "Position", cell: code("offset") }, { title: "Event", cell: (row) => row.type }, { title: "Content", cell: code("text") }], page.events),
      page.next ? el("button", { type: "button", class: "quiet", "data-key": "search next", onclick: () => this.list(file, page.next, tables) }, `Continue at ${page.next}`) : el("p", { class: "empty" }, `End of ${file}.`),
    );
  }

  /** A new request ends the one before: the node then stops its search. */
  async json(path) {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    try {
      const answer = await request(path, { signal: abort.signal });
      if (answer.ok) {
        return await answer.json();
      }
      this.error.textContent = (await answer.text()).trim();
    } catch {
      if (!abort.signal.aborted) {
        this.error.textContent = "The node does not answer.";
      }
    }
    return null;
  }
}
