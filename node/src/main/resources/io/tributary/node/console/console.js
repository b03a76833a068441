// The console of a node: receives its state by server-sent events and shows it.
import { byId, el, show, update, visible, empty } from "./dom.js";
import { Stream, logIn, logOut, isLoggedIn, request } from "./stream.js";
import { History, figure, newest } from "./charts.js";
import { Search } from "./search.js";
import { topology, sentence, leader, hasPart } from "./view.js";
import { merged } from "./merge.js";
import { picture } from "./topology.js";
import * as format from "./format.js";
import * as parts from "./parts.js";

const history = new History();
const perName = new Map(); // the history of each shard and link, by "shard NAME" and "link NAME"
const MOST_SERIES = 400;
let state = null;
let page = null; // the page of shards that was requested; null: the first one, from the events
let receivedAt = 0; // when the newest state was received, by this machine's clock
let pageRequest = { from: 0, name: "" };

const search = new Search(byId("search-body"), () => openLogin());
const stream = new Stream({ event: received, live: showLive, refused });

function received(name, data) {
  if (name === "history") {
    history.reset(data);
  } else if (name === "state") {
    state = merged(data);
    receivedAt = Date.now();
    history.add(data.millis, state.totals);
    record(state.shards, data.millis);
    for (const link of state.links.shown) {
      series(`link ${link.name}`).add(data.millis, { passed: link.passed, fullSeconds: link.fullSeconds });
    }
    render();
  }
}

/** Adds the counters of shards to their history. */
function record(list, millis) {
  for (const shard of list.shown) {
    series(`shard ${shard.name}`).add(millis, { transactions: shard.transactions, bytes: shard.bytes });
  }
}

function series(name) {
  let found = perName.get(name);
  if (!found) {
    if (perName.size >= MOST_SERIES) {
      perName.delete(perName.keys().next().value);
    }
    found = new History();
    perName.set(name, found);
  }
  return found;
}

const rates = (kind) => (name, value) => series(`${kind} ${name}`).rates(value);

function showLive(level, text) {
  byId("live").dataset.state = level;
  const shown = level === "live" ? "Live" : "Not connected";
  if (byId("live-text").textContent !== shown) {
    byId("live-text").textContent = shown;
  }
  byId("live").title = text;
  document.body.classList.toggle("stale", level !== "live");
  const what = {
    lost: `No connection to the node: ${text}.`,
    broken: `This page cannot show what the node sends (${text}): if the node was upgraded, reload the page.`,
    refused: `The node needs a login: ${text}.`,
  }[level];
  if (what) {
    show(byId("alerts"), el("div", { class: "alert error" }, el("i", { class: "mark bad", "aria-hidden": "true" }), el("span", { class: "what" }, `${what}${state ? " What is shown is the last state that was received." : ""}`)));
  }
}

function refused(status, text) {
  if (status === 401) {
    byId("login").hidden = false;
    if (!byId("login-dialog").open) {
      openLogin();
    }
    byId("login").textContent = "Log in";
    logOut();
  }
  showLive(status === 401 ? "refused" : "lost", text);
}

function render() {
  const name = state.node.name || state.node.role;
  document.title = visible(`${state.problems.some((problem) => problem.level === "error") ? "● " : ""}${name} – Tributary`);
  byId("login").hidden = !(state.audience === "viewer" || isLoggedIn());
  byId("login").textContent = isLoggedIn() ? "Log out" : "Log in";
  update(byId("identity"), identity());
  show(byId("alerts"), parts.alerts(state));
  update(byId("figures"), figures());
  renderTopology();
  update(byId("held-body"), parts.held(state));
  update(byId("transactions-body"), parts.transactions(state));
  update(byId("changes-body"), parts.changes(state));
  renderShards();
  update(byId("links-body"), parts.links(state, rates("link")));
  update(byId("replicas-body"), parts.replicas(state, (name) => history.rates(name)));
  update(byId("members-body"), parts.members(state));
  update(byId("backups-body"), parts.backups(state));
  search.update(state.audience === "operator");
  renderParts();
  byId("members-hint").textContent = state.cluster ? (leader(state) ? `${leader(state)} leads under epoch ${state.cluster.epoch}` : "There is no leader now") : "";
  for (const [part, isLong] of Object.entries({ held: state.held?.total > 0, transactions: state.transactions?.total > 0, changes: state.changes?.total > 0, replicas: state.readers.total > 0 || state.verify?.total > 0 })) {
    byId(part).classList.toggle("long", isLong);
  }
  counter("held", state.held?.total);
  counter("transactions", state.transactions?.total);
  counter("changes", state.changes?.total);
  byId("foot").textContent = `State of ${format.time(state.epochMillis)}${state.node.version ? `, Tributary ${state.node.version}` : ""}`;
}

/** Hides the parts that a node of this role never has. */
function renderParts() {
  for (const link of document.querySelectorAll("nav.tabs a")) {
    link.hidden = !hasPart(state, link.hash.slice(1));
    document.querySelector(link.hash).hidden = link.hidden;
  }
  byId("h-members").textContent = state.cluster || !state.dumper ? "Cluster" : "Binlog";
  byId("tab-members").textContent = byId("h-members").textContent;
  byId("h-replicas").textContent = state.reader ? (state.reader.kind === "sink" ? "This sink" : "This applier") : "Readers and replicas";
  byId("tab-replicas").textContent = state.reader ? (state.reader.kind === "sink" ? "Sink" : "Applier") : "Readers";
  byId("replicas-hint").textContent = state.reader ? "What it reads, and how far it is" : "Who reads the binlog of this node, and how far it is";
}

function counter(part, total) {
  const target = byId(`count-${part}`);
  target.hidden = !(total > 0);
  target.textContent = total > 0 ? format.count(total) : "";
  target.classList.toggle("bad", part === "held");
}

function identity() {
  const pairs = [
    ["Node", state.node.name],
    ["Role", state.node.role],
    ["State", state.node.state],
    ["Leader", state.cluster ? (leader(state) ?? "none") : null],
    ["Epoch", state.cluster?.epoch ?? (state.dumper?.epoch > 0 ? state.dumper.epoch : null)],
  ];
  return pairs.filter(([, value]) => value !== null && value !== undefined && value !== "").map(([name, value]) => el("div", { class: name === "State" && !state.node.healthy ? "bad" : null }, el("dt", {}, name), el("dd", { title: String(value) }, String(value))));
}

function figures() {
  const shown = [];
  const add = (name, series, unit, text) => {
    if (format.isKnown(state.totals[series])) {
      const values = history.rates(series);
      shown.push(figure(name, text(newest(values)), unit, values));
    }
  };
  add("Read from shards", "readTransactions", "tx/s", format.rate);
  add("Ordered", "ordered", "tx/s", format.rate);
  add("Written", "writtenTransactions", "tx/s", format.rate);
  add("Written, bytes", "writtenBytes", "/s", format.bytes);
  add("Copied from the leader", "copiedBytes", "/s", format.bytes);
  add("Sent to readers", "servedBytes", "/s", format.bytes);
  add("Applied", "appliedTransactions", "tx/s", format.rate);
  add("Rows to Kafka", "sinkRows", "rows/s", format.rate);
  if (format.isKnown(state.totals.lag)) {
    const lag = history.gauge("lag");
    shown.push(figure(state.reader ? "Lag" : "Largest lag", format.seconds(newest(lag)), "", lag, newest(lag) > 10 ? "warn" : ""));
  }
  if (format.isKnown(state.gauges.readers)) {
    shown.push(figure("Readers", format.count(state.gauges.readers), "", null));
  }
  if (format.isKnown(state.gauges.waiting)) {
    shown.push(figure("Wait for their order", format.count(state.gauges.waiting), "tokens", null));
  }
  return shown.length > 0 ? shown : empty("This node has no figures yet.");
}

function renderTopology() {
  const target = byId("topology-picture");
  const model = topology(state, (shard) => newest(rates("shard")(shard, "transactions")));
  const text = sentence(state);
  byId("topology-hint").textContent = text;
  const width = Math.floor(target.clientWidth);
  if (model.columns.length === 0) {
    show(target, empty(state.node.healthy ? "Nothing is known yet." : `The node is not running yet: ${state.node.state}`));
  } else if (width > 0) {
    show(target, picture(model, width, text));
  }
}

// ---- pages of shards

function renderShards() {
  const list = page ?? state.shards;
  const counts = state.shards.states;
  byId("shards-hint").textContent = state.shards.total === 0 ? "" : `${format.counted(state.shards.total, "shard")}: ${format.counted(counts.read, "is", "are")} read${counts.held ? `, ${format.count(counts.held)} held` : ""}${counts.waits ? `, ${format.count(counts.waits)} wait` : ""}${counts.behind ? `, ${format.count(counts.behind)} behind` : ""}${counts.unknown ? `, ${format.count(counts.unknown)} not known here` : ""}; those with problems first`;
  byId("shards-name").parentElement.hidden = state.shards.total <= 10;
  update(byId("shards-body"), parts.shards(state, page, rates("shard")));
  const size = 50;
  const from = pageRequest.from;
  show(
    byId("shards-pages"),
    list.total <= size && from === 0
      ? []
      : [
          el("button", { type: "button", class: "quiet", "data-key": "shards before", disabled: from === 0, onclick: () => requestShards(Math.max(0, from - size)) }, "Previous"),
          el("span", {}, `${format.count(from + 1)} to ${format.count(Math.min(from + list.shown.length, list.total))} of ${format.count(list.total)}`),
          el("button", { type: "button", class: "quiet", "data-key": "shards after", disabled: from + list.shown.length >= list.total, onclick: () => requestShards(from + size) }, "Next"),
        ],
  );
}

async function requestShards(from, name = byId("shards-name").value.trim()) {
  pageRequest = { from, name };
  if (from === 0 && name === "") {
    page = null;
    renderShards();
    return;
  }
  try {
    const asked = pageRequest;
    const answer = await request(`shards?${new URLSearchParams({ from, name })}`);
    const received = answer.ok ? await answer.json() : null;
    if (received && asked === pageRequest) {
      if (received.shown.length === 0 && from > 0) { // shards were removed
        requestShards(0, name);
        return;
      }
      page = received;
      record(page, state.millis + Date.now() - receivedAt);
      renderShards();
    }
  } catch {
    // the event stream shows that the node does not answer
  }
}

let typing;
byId("shards-name").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => requestShards(0), 200);
});
setInterval(() => {
  if (page !== null && document.visibilityState === "visible" && byId("live").dataset.state === "live") {
    requestShards(pageRequest.from, pageRequest.name);
  }
}, 4000);

// ---- login

function openLogin() {
  byId("login-error").textContent = "";
  byId("login-dialog").showModal();
  byId("login-user").focus();
}

byId("login").addEventListener("click", () => {
  if (isLoggedIn()) {
    logOut();
    page = null;
    pageRequest = { from: 0, name: "" };
    byId("shards-name").value = "";
    search.update(false);
    stream.open();
  } else {
    openLogin();
  }
});

byId("login-cancel").addEventListener("click", () => byId("login-dialog").close());

byId("login-form").addEventListener("submit", async (event) => {
  event.preventDefault();
  byId("login-submit").disabled = true;
  byId("login-error").textContent = "";
  try {
    const result = await logIn(byId("login-user").value, byId("login-password").value);
    if (result.ok) {
      byId("login-dialog").close();
      stream.open();
      byId("login").focus();
    } else {
      byId("login-error").textContent = result.status === 401 ? "User or password is wrong." : result.text;
      byId("login-password").select();
    }
  } catch {
    byId("login-error").textContent = "The node does not answer.";
  } finally {
    byId("login-submit").disabled = false;
  }
});

byId("login-dialog").addEventListener("close", () => {
  byId("login-password").value = "";
});

// ---- colours, tabs, copying

const THEMES = ["auto", "light", "dark"];

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = theme === "auto" ? "Auto" : theme === "light" ? "Light" : "Dark";
  byId("theme").setAttribute("aria-label", `Colour scheme: ${theme}`);
}

function storedTheme() {
  try {
    return localStorage.getItem("tributary.theme");
  } catch {
    return null;
  }
}

setTheme(THEMES.includes(storedTheme()) ? storedTheme() : "auto");
byId("theme").addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  setTheme(next);
  try {
    localStorage.setItem("tributary.theme", next);
  } catch {
    // a browser without storage forgets it
  }
});

document.addEventListener("click", async (event) => {
  const text = event.target.closest?.("[data-copy]")?.dataset.copy;
  if (text === undefined) {
    return;
  }
  const button = event.target.closest("[data-copy]");
  let done = "Copied";
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // without HTTPS a browser has no clipboard for pages: the command is selected instead
    getSelection().selectAllChildren(button.previousElementSibling);
    done = "Selected";
  }
  button.textContent = done;
  byId("said").textContent = `${done}: ${text}`;
  setTimeout(() => {
    button.textContent = "Copy";
    byId("said").textContent = "";
  }, 2000);
});

const seen = new IntersectionObserver(
  () => {
    const top = byId("tabs").getBoundingClientRect().bottom + 40;
    const parts = [...document.querySelectorAll("nav.tabs a")];
    let current = parts[0];
    for (const link of parts) {
      if (!link.hidden && document.querySelector(link.hash).getBoundingClientRect().top <= top) {
        current = link;
      }
    }
    for (const link of parts) {
      if (link === current) {
        link.setAttribute("aria-current", "true");
      } else {
        link.removeAttribute("aria-current");
      }
    }
  },
  { threshold: [0, 0.1, 0.25, 0.5, 0.75, 1], rootMargin: "-80px 0px 0px 0px" },
);
document.querySelectorAll("main > section").forEach((section) => seen.observe(section));

new ResizeObserver(() => state && renderTopology()).observe(byId("topology-picture"));
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && document.body.classList.contains("stale")) {
    stream.open();
  }
});

search.update(false);
stream.open();
