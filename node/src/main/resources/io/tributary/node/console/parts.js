// The parts of the page that are tables and lists.
import { el, byId, table, state as mark, command, empty } from "./dom.js";
import * as format from "./format.js";
import { shardLevel, shardWord, leader } from "./view.js";
import { sparkline, newest } from "./charts.js";

const more = (list, what, shows) =>
  list.total > list.shown.length ? el("p", { class: "empty" }, `${format.count(list.shown.length)} of ${format.count(list.total)} ${what}; `, el("code", {}, shows), " shows more.") : null;

const facts = (pairs) =>
  el(
    "dl",
    { class: "facts" },
    pairs.filter(([, value]) => value !== null && value !== undefined && value !== "").map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))),
  );

const isOperator = (state) => state.audience === "operator";

const loginNote = (state) =>
  state.from.pipeline && !state.from.hasDetails
    ? el("p", { class: "empty" }, "Statements, positions and commands are on the ", consoleOf(state, state.from.pipeline), ".")
    : isOperator(state) ? null : el("p", { class: "empty" }, "Log in to see statements, positions and commands.");

/** The link to the console of another node; only its name if the address is not known. */
function consoleOf(state, name) {
  const member = state.cluster?.members.shown.find((each) => each.name === name);
  return member?.admin ? el("a", { href: consoleUrl(member, state), "data-key": `see ${name}` }, `console of ${name}`) : `console of ${name}`;
}

const consoleUrl = (member, state) => `${state.peerLinks?.[member.name]?.scheme === "https" ? "https:" : state.peerLinks?.[member.name] ? "http:" : location.protocol}//${member.admin}/console/`;

/** Whether the page has this part now; a problem of the node itself is in none. */
const hasSection = (part) => {
  const section = byId(part);
  return section !== null && !section.hidden;
};

/** Problems, the most urgent first. */
export function alerts(state) {
  return state.problems.map((problem) =>
    el(
      "div",
      { class: `alert ${problem.level}` },
      el("i", { class: `mark ${problem.level === "error" ? "bad" : "warn"}`, "aria-hidden": "true" }),
      el("span", { class: "hidden" }, problem.level === "error" ? "Error: " : "Warning: "),
      el("span", { class: "what" }, problem.text),
      problem.command ? el("code", {}, problem.command) : null,
      hasSection(problem.part) ? el("a", { href: `#${problem.part}`, "data-key": `show ${problem.part}`, "aria-label": `Show: ${problem.text}` }, "Show") : null,
    ),
  );
}

export function held(state) {
  if (!state.held) {
    return empty(noPipeline(state));
  }
  if (state.held.total === 0) {
    return empty("No shard is held.");
  }
  return [
    state.held.shown.map((item, i) =>
      el(
        "article",
        { class: "item bad" },
        el("header", {}, mark("bad", `Shard ${item.shard}`), item.code ? el("code", { class: "code" }, item.code) : null, format.isKnown(item.seconds) ? el("span", { class: "age" }, `for ${format.seconds(item.seconds)}`) : null),
        item.message ? el("p", {}, item.message) : null,
        facts([["Statement", item.text && el("code", {}, item.text)], ["Table", item.table], ["GTID", item.gtid && el("code", {}, item.gtid)], ["Position", item.position && el("code", {}, item.position)]]),
        commands(item, `held ${i}`),
      ),
    ),
    more(state.held, "held shards", "tributary ddl list"),
    loginNote(state),
  ];
}

function commands(item, key) {
  return item.commands?.length > 0 ? el("div", { class: "commands" }, el("div", { class: "label" }, item.commands.length === 1 ? "Command that ends it" : "One of these commands ends it"), item.commands.map((text, i) => command(text, `${key} ${i}`))) : null;
}

function noPipeline(state) {
  return state.cluster ? "This node runs no pipeline now: the console of the node that orders transactions shows this." : "This node does not order transactions.";
}

export function changes(state) {
  if (!state.changes) {
    return empty(noPipeline(state));
  }
  if (state.changes.total === 0) {
    return empty("All members of each table have run its statements.");
  }
  return [
    state.changes.shown.map((item, i) =>
      el(
        "article",
        { class: "item warn" },
        el("header", {}, mark("warn", item.table || item.class || "Statement"), el("span", { class: "age" }, `${item.state}${item.shard ? ` on ${item.shard}` : ""} for ${format.seconds(item.seconds)}`)),
        item.text ? el("p", {}, el("code", {}, item.text)) : null,
        progress(item),
        facts([["Class", item.class], ["Has it", memberList(item.has, item.hasCount)], ["Lacks it", memberList(item.lacks, item.lacksCount)], ["Waits for", item.message]]),
        commands(item, `change ${i}`),
      ),
    ),
    more(state.changes, "statements", "tributary ddl list"),
    loginNote(state),
  ];
}

function progress(item) {
  const total = item.hasCount + item.lacksCount;
  return total === 0 ? null : el("div", { class: "progress" }, el("progress", { max: total, value: item.hasCount, "aria-label": "Members that have run it" }), el("span", {}, `${format.count(item.hasCount)} of ${format.count(total)} members have run it`));
}

const memberList = (names, count) => (names ? names.join(", ") + (count > names.length ? `, and ${format.count(count - names.length)} more` : "") : null);

export function transactions(state) {
  if (!state.transactions) {
    return empty(state.held ? "Not known at the moment." : noPipeline(state));
  }
  const list = state.transactions;
  if (list.total === 0 && list.waitCount === 0) {
    return empty("No transaction waits.");
  }
  return [
    list.waits?.length > 0 ? el("ul", { class: "plain" }, list.waits.map((wait) => el("li", {}, wait))) : null,
    list.shown.map((item, i) =>
      el(
        "details",
        { class: "line", "data-key": `xa ${item.xid ?? i}` },
        el("summary", { "data-key": `xa summary ${item.xid ?? i}` }, mark(item.inDoubt ? "bad" : "off", item.inDoubt ? "in doubt" : "open"), el("code", {}, item.xid ?? `${item.branchCount} branches`), el("span", { class: "age" }, `for ${format.seconds(item.seconds)}`)),
        item.branches ? table("Branches", [{ title: "Shard", cell: (row) => row.shard }, { title: "State", cell: (row) => row.state }, { title: "GTID", cell: (row) => (row.gtid ? el("code", {}, row.gtid) : null) }], item.branches) : null,
        facts([["Not known on", item.unknownOn?.join(", ")], ["Waits for", item.waitsFor?.join("; ")], ["Bytes", item.bytes ? format.bytes(item.bytes) : null]]),
        item.commands?.length > 0 ? el("div", { class: "commands" }, el("div", { class: "label" }, "To do"), item.commands.map((text) => el("p", {}, text))) : null,
      ),
    ),
    more(list, "transactions", "tributary xa list"),
    loginNote(state),
  ];
}

export function shards(state, page, rates) {
  const list = page ?? state.shards;
  if (list.total === 0) {
    return empty(state.shards.total > 0 ? "No shard has such a name." : "This node reads no shards now.");
  }
  const columns = [
    { title: "Shard", cell: (row) => row.name },
    { title: "State", cell: (row) => mark(shardLevel[row.state], shardWord[row.state]) },
    { title: "Lag", number: true, cell: (row) => format.seconds(row.lag) },
    { title: "Transactions/s", number: true, cell: (row) => format.rate(newest(rates(row.name, "transactions"))) },
    { title: "Bytes/s", number: true, cell: (row) => format.bytes(newest(rates(row.name, "bytes"))) },
    { title: "Last minutes", isChart: true, cell: (row) => sparkline(rates(row.name, "bytes"), `Bytes a second of shard ${row.name}`) },
    { title: "Connections", number: true, cell: (row) => format.count(row.connects) },
  ];
  if (list.shown.some((row) => row.leftOut > 0)) {
    columns.push({ title: "Left out", number: true, cell: (row) => format.count(row.leftOut) });
  }
  if (isOperator(state)) {
    columns.push({ title: "Position", cell: (row) => (row.position ? el("code", {}, row.position) : null) });
  }
  return table("Shards", columns, list.shown, (row) => row.name);
}

export function links(state, rates) {
  if (state.links.total === 0) {
    return empty("This node runs no pipeline now.");
  }
  return [
    table(
      "Links",
      [
        { title: "Link", cell: (row) => row.name },
        { title: "Items/s", number: true, cell: (row) => format.rate(newest(rates(row.name, "passed"))) },
        { title: "Last minutes", isChart: true, cell: (row) => sparkline(rates(row.name, "passed"), `Items a second through the link ${row.name}`) },
        { title: "Waiting", number: true, cell: (row) => format.count(row.depth) },
        { title: "Bytes waiting", number: true, cell: (row) => format.bytes(row.bytes) },
        { title: "Full", number: true, cell: (row) => fullShare(newest(rates(row.name, "fullSeconds"))) },
      ],
      state.links.shown,
      (row) => row.name,
    ),
    more(state.links, "links", "tributary status"),
  ];
}

/** The share of the time in which a link was full. */
function fullShare(value) {
  return format.isKnown(value) ? mark(value > 0.5 ? "warn" : "ok", `${Math.round(Math.min(1, value) * 100)} %`) : "–";
}

export function replicas(state, rates) {
  const parts = [];
  if (state.from.readers) {
    parts.push(el("p", { class: "empty" }, `Of the leader ${state.from.readers}: more is on the `, consoleOf(state, state.from.readers), "."));
  }
  if (state.reader) {
    const reader = state.reader;
    parts.push(
      facts([
        ["State", mark(reader.state.startsWith("held") ? "bad" : "ok", reader.state)],
        ["Behind", format.isKnown(reader.transactions) ? `${format.count(reader.transactions)} transactions, ${format.seconds(reader.seconds)}` : "not known"],
        ["Reads from", reader.node],
        [reader.kind === "sink" ? "Sends to" : "Applies to", reader.target],
        ["Name of its progress", reader.name],
        ["Done", reader.executed && el("code", {}, reader.executed)],
      ]),
    );
  }
  if (format.isKnown(state.gauges.readers)) {
    parts.push(
      facts([
        ["Connected", `${format.count(state.gauges.readers)}${state.gauges.semiSyncReaders > 0 ? `, ${format.count(state.gauges.semiSyncReaders)} of them semi-sync` : ""}`],
        ["Sent", `${format.bytes(newest(rates("servedBytes")))}/s`],
        ["Waits for slow readers", format.bytes(state.gauges.readersWaitingBytes)],
        ["Address for readers", state.dumper?.address && el("code", {}, state.dumper.address)],
      ]),
    );
  }
  if (state.readers.total > 0) {
    parts.push(readerTable(state), more(state.readers, "readers", "tributary status"));
  }
  if (state.verify?.total > 0) {
    parts.push(
      el("h4", {}, "Comparisons with the shards"),
      table(
        "Comparisons of replicas with the shards",
        [
          { title: "Replica", cell: (row) => row.address ?? "replica" },
          { title: "Result", cell: (row) => (row.running ? mark("off", "runs now") : row.failed ? mark("warn", "failed") : row.findings > 0 ? mark("bad", `${format.count(row.findings)} differences`) : mark("ok", "equal")) },
          { title: "Rows", number: true, cell: (row) => format.count(row.rows) },
          { title: "Ended", cell: (row) => row.end },
        ],
        state.verify.shown,
      ),
    );
  }
  return parts.length > 0 ? parts : empty(state.cluster && leader(state) ? `Readers connect to the leader: see the console of ${leader(state)}.` : "This node serves no readers.");
}

function readerTable(state) {
  const names = [...new Set(state.readers.shown.flatMap((row) => Object.keys(row)))].filter((name) => name !== "name").sort();
  const cell = (name) => (row) => (name.includes("bytes") ? format.bytes(row[name]) : name.includes("seconds") ? format.seconds(row[name]) : format.count(row[name]));
  return table(
    "Readers",
    [{ title: "Reader", cell: (row) => row.name ?? "reader" }, ...names.map((name) => ({ title: title(name), number: true, cell: cell(name) }))],
    state.readers.shown,
    (row) => row.name,
  );
}

const title = (name) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll(".", " ");

export function members(state) {
  if (!state.cluster) {
    return state.dumper
      ? facts([["State", state.dumper.state === "standalone" ? (state.dumper.serves ? "writes and serves readers" : "writes, and serves no readers yet") : state.dumper.state], ["Epoch", state.dumper.epoch], ["Cut", format.isKnown(state.dumper.cut) ? `${format.count(state.dumper.cut)} of epoch ${state.dumper.cutEpoch}` : null], ["End of the binlog", state.dumper.end && el("code", {}, state.dumper.end)], ["GTIDs", state.dumper.executed && el("code", {}, state.dumper.executed)], ["Followers", state.dumper.followers?.join(", ")]])
      : empty("This node is not a member of a cluster.");
  }
  const columns = [
    { title: "Node", cell: (row) => (row.name === state.node.name ? [row.name, el("span", { class: "tag" }, "this node")] : row.name) },
    { title: "Roles", cell: (row) => row.roles.join(", ") },
    { title: "Does", cell: (row) => does(row) },
    { title: "Epoch", number: true, cell: (row) => (row.leads ? String(state.cluster.epoch) : null) },
  ];
  if (isOperator(state)) {
    columns.push(
      { title: "Readers connect to", cell: (row) => (row.mysql ? el("code", {}, row.mysql) : null) },
      { title: "Started", cell: (row) => format.time(row.startedMicros / 1000) },
      { title: "Console", cell: (row) => consoleLink(row, state), isText: true },
    );
  }
  return [table("Members of the cluster", columns, state.cluster.members.shown, (row) => row.name), more(state.cluster.members, "members", "tributary cluster status"), ownDumper(state)];
}

/** A list of nodes that table() puts into one cell. */
function does(row) {
  const does = [row.leads ? "leads" : null, ...row.does.map((what) => (what === "pipeline" ? "orders transactions" : what)), row.relays.total > 0 ? `relays ${format.counted(row.relays.total, "shard")}` : null].filter((what) => what !== null);
  return does.length > 0 ? mark("ok", does.join(", ")) : mark("off", row.roles.includes("dumper") ? "follows" : "standby");
}

function consoleLink(row, state) {
  if (!row.admin || row.name === state.node.name) {
    return null;
  }
  const problem = state.peerLinks?.[row.name]?.problem;
  return [el("a", { href: consoleUrl(row, state), rel: "noopener", "data-key": `console ${row.name}`, "aria-label": `Console of ${row.name}` }, row.admin), problem ? el("div", { class: "age" }, `Its state is not shown here: ${problem}.`) : null];
}

function ownDumper(state) {
  const own = state.dumper;
  if (!own) {
    return null;
  }
  return facts([
    ["This node", own.state === "leads" ? `leads under epoch ${own.epoch}, lease left ${format.seconds(own.leaseMillis / 1000)}` : own.state === "follows" ? `follows ${own.leader} of epoch ${own.epoch}, ${format.bytes(own.behindBytes)} behind` : own.state],
    ["An election needs", format.isKnown(state.electionNeeds) ? `${state.electionNeeds} of ${state.dumpers} Dumpers` : null],
    ["Readers see what is on", format.isKnown(state.copies) ? `${state.copies} of ${state.dumpers} Dumpers` : null],
    ["Waits for followers", own.waitingBytes > 0 ? format.bytes(own.waitingBytes) : null],
    ["End of the binlog", own.end && el("code", {}, own.end)],
    ["Newest cut", format.isKnown(own.cut) ? `${format.count(own.cut)} of epoch ${own.cutEpoch}` : null],
    ["GTIDs", own.executed && el("code", {}, own.executed)],
  ]);
}

export function backups(state) {
  if (!state.backup) {
    return empty("No backup is kept by this node (backup.directory).");
  }
  const parts = [
    facts([
      ["Files", format.count(state.backup.files)],
      ["Size", format.bytes(state.backup.bytes)],
      ["Not backed up yet", mark(state.gauges.backupPending > 2 ? "warn" : "ok", format.count(state.gauges.backupPending))],
      ["Failures", state.gauges.backupFailures > 0 ? mark("warn", format.count(state.gauges.backupFailures)) : "0"],
    ]),
  ];
  if (state.backup.newest?.length > 0) {
    parts.push(
      table(
        "Newest files in the backup",
        [
          { title: "File", cell: (row) => el("code", {}, row.name) },
          { title: "Size", number: true, cell: (row) => format.bytes(row.size) },
          { title: "First commit", cell: (row) => format.time(row.firstMicros / 1000) },
          { title: "Encrypted", cell: (row) => (row.encrypted ? "yes" : "no") },
        ],
        state.backup.newest,
        (row) => row.name,
      ),
    );
  }
  return parts;
}
