// Search of the binlog: the position of a GTID, a time or a TSO, and the events from there on; or the changes of the rows of a table.
import { el, table, show } from "./dom.js";
import { request } from "./stream.js";
import { RowSearch, keyValues } from "./rows.js";

const KINDS = {
  gtid: { title: "GTID", example: "3e11fa47-71ca-11e1-9e33-c80aa9429562:23" },
  time: { title: "Time", example: "2026-11-28 10:00:00" },
  tso: { title: "TSO", example: "7032412321234567168" },
  rows: { title: "Rows" },
};

const input = (id, placeholder, length) => el("input", { id, placeholder, autocomplete: "off", spellcheck: "false", maxlength: length, "aria-describedby": "search-error" });

const field = (title, content) => el("label", { class: "field wide" }, el("span", {}, title), content);

/** Makes the form once; it is shown only to readers with a login. */
export class Search {
  constructor(target, onLogIn) {
    this.target = target;
    this.onLogIn = onLogIn;
    this.isShown = null;
    this.number = 0; // of the newest search: the answers to earlier ones are not shown
  }

  update(isOperator) {
    if (this.isShown === isOperator) {
      return;
    }
    this.isShown = isOperator;
    this.number++;
    this.rows?.stop();
    this.abort?.abort();
    this.target.replaceChildren(isOperator ? this.form() : el("p", { class: "empty" }, "The binlog contains rows: ", el("button", { type: "button", class: "linklike", onclick: this.onLogIn }, "log in"), " to search it."));
  }

  form() {
    this.kind = el("select", { id: "search-kind", onchange: () => this.showFields() }, Object.entries(KINDS).map(([name, each]) => el("option", { value: name }, each.title)));
    this.value = input("search-value", KINDS.gtid.example, 256);
    this.tables = input("search-table", "all, or shop.orders, shop.item*", 512);
    this.table = input("search-rows-table", "shop.orders", 200);
    this.key = input("search-rows-key", "any, or 17, or 17,eu for two columns", 512);
    this.since = input("search-rows-since", "any, or 2026-11-28 10:00:00", 32);
    this.until = input("search-rows-until", "any", 32);
    this.ofPosition = el("div", { class: "fields" }, field("Value", this.value), field("Only tables", this.tables));
    this.ofRows = el("div", { class: "fields" }, field("Table", this.table), field("Value of its primary or unique key", this.key), field("From (UTC)", this.since), field("To (UTC)", this.until));
    this.error = el("p", { class: "error", id: "search-error", role: "alert" });
    this.found = el("div", { id: "search-found", "aria-live": "polite" });
    this.events = el("div", { id: "search-events" });
    this.rows = new RowSearch({
      gtid: (gtid) => this.findGtid(gtid),
      error: (text) => {
        this.error.textContent = text;
      },
    });
    const form = el("form", { class: "search", role: "search", "aria-label": "Binlog" }, el("label", { class: "field" }, el("span", {}, "Find by"), this.kind), this.ofPosition, this.ofRows, el("button", { type: "submit", class: "primary" }, "Find"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    this.showFields();
    return el("div", {}, form, this.error, this.found, this.events, this.rows.element, el("p", { class: "empty below" }, "The same on the command line: ", el("code", {}, "tributary find"), " and ", el("code", {}, "tributary log"), "."));
  }

  showFields() {
    const isOfRows = this.kind.value === "rows";
    this.ofRows.hidden = !isOfRows;
    this.ofPosition.hidden = isOfRows;
    this.value.setAttribute("placeholder", KINDS[this.kind.value].example ?? "");
  }

  submit() {
    this.number++;
    this.error.textContent = "";
    show(this.found);
    show(this.events);
    this.rows.clear();
    this.abort?.abort();
    if (this.kind.value === "rows") {
      this.findRows();
    } else {
      this.find(this.kind.value, this.value.value.trim(), this.tables.value.trim());
    }
  }

  /** Shows the events of a transaction. */
  findGtid(gtid) {
    this.kind.value = "gtid";
    this.value.value = gtid;
    this.showFields();
    this.submit();
    this.value.focus();
  }

  findRows() {
    const name = this.table.value.trim();
    if (name === "") {
      this.error.textContent = "Expected a table such as shop.orders, found nothing.";
      this.table.focus();
      return;
    }
    const query = new URLSearchParams({ table: name, since: this.since.value.trim(), until: this.until.value.trim() });
    keyValues(this.key.value.trim()).forEach((value) => query.append("key", value));
    this.rows.run(query);
  }

  async find(kind, value, tables) {
    const number = this.number;
    if (value === "") {
      this.error.textContent = `Expected a ${KINDS[kind].title} such as ${KINDS[kind].example}, found nothing.`;
      this.value.focus();
      return;
    }
    const position = await this.json(`../find?${new URLSearchParams({ [kind]: value })}`);
    if (!position || number !== this.number) {
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
    const number = this.number;
    const page = await this.json(`binlog?${new URLSearchParams({ file, from, table: tables })}`);
    if (!page || number !== this.number) {
      return;
    }
    const code = (name) => (row) => el("code", {}, row[name]);
    show(
      this.events,
      page.events.length === 0 ? el("p", { class: "empty" }, "No such events in the part of the file that was searched.") : table("Events of the binlog", [{ title: "Position", cell: code("offset") }, { title: "Event", cell: (row) => row.type }, { title: "Content", cell: code("text"), isText: true }], page.events),
      page.next ? el("button", { type: "button", class: "quiet", "data-key": "search next", onclick: () => this.list(file, page.next, tables) }, `Continue at ${page.next}`) : el("p", { class: "empty" }, `End of ${file}.`),
    );
  }

  /** A new request ends the one before: the node then stops its search. */
  async json(path) {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    const number = this.number;
    let refusal = "The node does not answer.";
    try {
      const answer = await request(path, { signal: abort.signal });
      if (answer.ok) {
        return await answer.json();
      }
      refusal = (await answer.text()).trim();
    } catch {
      // the text above
    }
    if (number === this.number && !abort.signal.aborted) {
      this.error.textContent = refusal;
    }
    return null;
  }
}
