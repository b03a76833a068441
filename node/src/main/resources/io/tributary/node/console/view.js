// What the topology contains, from the newest state: columns of boxes, and the lines between them.
import * as format from "./format.js";

const MOST_SHARDS = 7;
const MOST_NODES = 5;

/** The level of a shard's state for colours. */
export const shardLevel = { held: "bad", waits: "warn", behind: "warn", read: "ok", unknown: "off" };

/** The words for a shard's state. */
export const shardWord = { held: "held", waits: "waits", behind: "behind", read: "is read", unknown: "not known here" };

/** The leading Dumper's name as this node knows it; null for none. */
export function leader(state) {
  return state.cluster ? state.cluster.leader : state.dumper && state.dumper.state !== "copies" ? name(state) : null;
}

/** The name under which this node is shown. */
export function name(state) {
  return state.node.name || "this node";
}

const members = (state) => state.cluster?.members.shown ?? [];

const hasRole = (state, role) => members(state).filter((member) => member.roles.includes(role));

/** The parts of the page that nodes without a cluster do not have, by role. */
const MISSING = {
  task: ["members", "replicas", "backups", "search"],
  relay: ["held", "transactions", "changes", "members", "replicas", "backups", "search"],
  dumper: ["held", "transactions", "changes"],
  apply: ["held", "transactions", "changes", "shards", "links", "members", "backups", "search"],
  sink: ["held", "transactions", "changes", "shards", "links", "members", "backups", "search"],
};

/** Whether a node of this role has a part of the page. */
export const hasPart = (state, part) => Boolean(state.cluster) || !(MISSING[state.node.role] ?? []).includes(part);

const isRelay = (state) => !state.cluster && state.node.role === "relay";

export function topology(state, rates) {
  const columns = [shardColumn(state, rates), relayColumn(state), taskColumn(state), dumperColumn(state), readerColumn(state, rates), targetColumn(state)].filter((column) => column.boxes.length > 0);
  const boxes = columns.flatMap((column) => column.boxes);
  const ids = new Set(boxes.map((box) => box.id));
  return { columns, lines: lines(state, boxes).filter((line) => ids.has(line.from) && ids.has(line.to)) };
}

function shardColumn(state, rates) {
  const all = state.shards;
  const boxes = all.shown.slice(0, all.total > MOST_SHARDS ? MOST_SHARDS - 1 : MOST_SHARDS).map((shard) => ({
    id: `shard ${shard.name}`,
    kind: "shard",
    title: shard.name,
    text: shard.state === "read" ? `${format.rate(rates(shard.name))} tx/s` : shardWord[shard.state],
    side: format.isKnown(shard.lag) ? format.seconds(shard.lag) : "",
    level: shardLevel[shard.state],
    href: "#shards",
  }));
  if (all.total > MOST_SHARDS) {
    const rest = all.total - boxes.length;
    const bad = all.states.held + all.states.waits + all.states.behind - boxes.filter((box) => box.level !== "ok" && box.level !== "off").length;
    boxes.push({ id: "shard more", kind: "shard", title: `${format.count(rest)} more`, text: bad > 0 ? `${format.count(bad)} need attention` : "no problem", side: "", level: bad > 0 ? "warn" : "ok", href: "#shards" });
  }
  if (boxes.length === 0 && hasRole(state, "task").length > 0) {
    boxes.push({ id: "shard unknown", kind: "shard", title: "Shards", text: "open the running Task", side: "", level: "off", href: "#members" });
  }
  return { title: "Shards", boxes };
}

function relayColumn(state) {
  if (isRelay(state)) {
    return { title: "Relays", boxes: [{ id: "relay self", kind: "relay", title: name(state), text: `reads ${format.counted(state.shards.total, "shard")}`, side: "", level: state.node.healthy ? "ok" : "warn", isSelf: true, href: "#shards" }] };
  }
  return {
    title: "Relays",
    boxes: limited(
      hasRole(state, "relay").map((member) => ({
        id: `relay ${member.name}`,
        kind: "relay",
        title: member.name,
        text: member.relays.total > 0 ? `reads ${format.counted(member.relays.total, "shard")}` : "standby",
        side: "",
        level: member.relays.total > 0 ? "ok" : "off",
        isSelf: member.name === state.node.name,
        href: "#members",
      })),
      "relay",
    ),
  };
}

/** The node whose pipeline runs; null for none. */
export function runningTask(state) {
  if (!state.cluster) {
    return state.held ? name(state) : null;
  }
  return members(state).find((member) => member.does.includes("pipeline"))?.name ?? null;
}

function taskColumn(state) {
  const running = runningTask(state);
  if (!state.cluster) {
    const boxes = [];
    if (isRelay(state)) {
      boxes.push({ id: "task of relay", kind: "task", title: "Task", text: "not known here", side: "", level: "off", href: "#links" });
    } else if (state.held || state.stream) {
      boxes.push({ id: `task ${name(state)}`, kind: "task", title: name(state), text: taskText(state), side: "", level: taskLevel(state), isSelf: true, href: "#links" });
    } else if (state.task) {
      boxes.push({ id: `task ${state.task}`, kind: "task", title: state.task, text: "Task", side: "", level: "off", href: "#members" });
    }
    return { title: "Task: order", boxes };
  }
  const tasks = hasRole(state, "task").map((member) => {
    const isRunning = member.name === running;
    const isSelf = member.name === state.node.name;
    return { id: `task ${member.name}`, kind: "task", title: member.name, text: isRunning ? (isSelf ? taskText(state) : "orders") : "standby", side: "", level: isRunning ? (isSelf ? taskLevel(state) : "ok") : "off", isSelf, href: "#members" };
  });
  return { title: "Task: order", boxes: limited(tasks.sort((one, other) => (other.level !== "off") - (one.level !== "off")), "task") };
}

const taskText = (state) => (state.held?.total > 0 ? `${format.count(state.held.total)} held` : state.gauges.waiting > 0 ? `${format.count(state.gauges.waiting)} wait` : "orders");

const taskLevel = (state) => (state.held?.total > 0 ? "bad" : state.changes?.total > 0 || state.gauges.inDoubt > 0 ? "warn" : "ok");

function dumperColumn(state) {
  const leads = leader(state);
  let dumpers;
  if (state.cluster) {
    dumpers = hasRole(state, "dumper").map((member) => {
      const isSelf = member.name === state.node.name;
      return {
        id: `dumper ${member.name}`,
        kind: "dumper",
        title: member.name,
        text: member.leads ? `leads, epoch ${state.cluster.epoch}` : isSelf && state.dumper?.state === "candidate" ? "candidate" : "follows",
        side: isSelf && state.dumper?.behindBytes > 0 ? `−${format.bytes(state.dumper.behindBytes)}` : "",
        level: member.leads ? "ok" : leads === null ? "warn" : "ok",
        isLeader: member.leads,
        isSelf,
        href: "#members",
      };
    });
    dumpers.sort((one, other) => (other.isLeader === true) - (one.isLeader === true));
  } else if (state.dumper) {
    dumpers = [{ id: `dumper ${name(state)}`, kind: "dumper", title: name(state), text: state.dumper.serves ? "writes and serves" : "does not serve yet", side: "", level: state.dumper.serves ? "ok" : "warn", isLeader: true, isSelf: true, href: "#members" }];
    for (const follower of state.dumper.followers ?? []) {
      dumpers.push({ id: `dumper ${follower}`, kind: "dumper", title: follower, text: "follows", side: "", level: "ok", href: "#members" });
    }
  } else {
    dumpers = state.reader ? [{ id: "dumper read", kind: "dumper", title: state.reader.node ?? "Dumper", text: "is read", side: "", level: "ok", isLeader: true, href: "#replicas" }] : [];
  }
  return { title: "Dumper: write, serve", boxes: limited(dumpers, "dumper") };
}

function readerColumn(state) {
  const boxes = [];
  if (state.reader) {
    const isBad = state.reader.state.startsWith("held");
    boxes.push({ id: "reader self", kind: "reader", title: state.reader.kind === "sink" ? "Sink" : "Applier", text: state.reader.state.split(":")[0], side: format.seconds(state.reader.seconds), level: isBad ? "bad" : "ok", isSelf: true, href: "#replicas" });
  }
  if (format.isKnown(state.gauges.readers)) {
    const readers = state.gauges.readers;
    boxes.push({ id: "reader all", kind: "reader", title: `${format.count(readers)} ${readers === 1 ? "reader" : "readers"}`, text: "replicas, sinks, appliers", side: "", level: readers > 0 ? "ok" : "off", href: "#replicas" });
  } else if (leader(state) !== null && state.cluster && leader(state) !== state.node.name) {
    boxes.push({ id: "reader all", kind: "reader", title: "Readers", text: "open the leader", side: "", level: "off", href: "#members" });
  }
  return { title: "Readers", boxes };
}

/** Where a sink or an applier writes. */
function targetColumn(state) {
  const reader = state.reader;
  const isSink = reader?.kind === "sink";
  return {
    title: isSink ? "Kafka" : "Target",
    boxes: reader ? [{ id: "target", kind: "target", title: reader.target ?? (isSink ? "Kafka" : "MySQL server"), text: isSink ? "gets messages" : "gets transactions", side: "", level: reader.state.startsWith("held") ? "bad" : "ok", href: "#replicas" }] : [],
  };
}

function limited(boxes, kind) {
  return boxes.length <= MOST_NODES ? boxes : [...boxes.slice(0, MOST_NODES - 1), { id: `${kind} more`, kind, title: `${boxes.length - MOST_NODES + 1} more`, text: "", side: "", level: "off", href: "#members" }];
}

function lines(state, boxes) {
  const running = runningTask(state);
  const leads = leader(state);
  const task = running ? `task ${running}` : boxes.find((box) => box.kind === "task")?.id;
  const lines = [{ from: "reader self", to: "target", level: boxes.find((box) => box.id === "target")?.level }];
  const relays = boxes.filter((box) => box.kind === "relay");
  const relayOf = new Map(members(state).flatMap((member) => member.relays.shown.map((shard) => [shard, `relay ${member.name}`])));
  for (const box of boxes.filter((each) => each.kind === "shard")) {
    lines.push({ from: box.id, to: isRelay(state) ? "relay self" : relayOf.get(box.title) ?? task, level: running || isRelay(state) ? box.level : "off" });
  }
  for (const box of relays) {
    lines.push({ from: box.id, to: task, level: running ? box.level : "off" });
  }
  const leadingBox = boxes.find((box) => box.kind === "dumper" && box.isLeader)?.id ?? (leads ? `dumper ${leads}` : null);
  if (leadingBox) {
    lines.push({ from: task, to: leadingBox, level: running || state.task ? "ok" : "off" });
    for (const box of boxes.filter((each) => each.kind === "dumper" && each.id !== leadingBox)) {
      lines.push({ from: leadingBox, to: box.id, level: box.level, isCopy: true });
    }
    for (const box of boxes.filter((each) => each.kind === "reader")) {
      lines.push({ from: leadingBox, to: box.id, level: box.level });
    }
  }
  return lines;
}

/** The topology in one sentence, for screen readers. */
export function sentence(state) {
  if (state.reader) {
    const { kind, node, target, seconds } = state.reader;
    return `${node ? `reads the binlog of ${node}` : "reads a binlog"} and ${kind === "sink" ? "sends it to Kafka" : "applies it"}${target ? (kind === "sink" ? ` at ${target}` : ` to ${target}`) : ""}${format.isKnown(seconds) ? `, ${format.seconds(seconds)} behind` : ""}`;
  }
  const parts = [state.shards.total > 0 ? format.counted(state.shards.total, "shard") : "no shards are known here"];
  if (isRelay(state)) {
    return `${parts[0]}, read by this relay for a Task`;
  }
  const running = runningTask(state);
  const isOther = !state.cluster && state.node.role === "dumper";
  parts.push(running ? `ordered by ${running}` : isOther ? `ordered by the Task${state.task ? ` ${state.task}` : ""}` : "no Task runs the pipeline that this node knows");
  const leads = leader(state);
  if (leads) {
    parts.push(`written by ${leads}${state.cluster ? ` under epoch ${state.cluster.epoch}` : ""}`);
  } else if (state.cluster) {
    parts.push("no leader");
  }
  const followers = hasRole(state, "dumper").filter((member) => !member.leads).length;
  if (followers > 0) {
    parts.push(`copied by ${format.counted(followers, "other Dumper")}`);
  }
  if (format.isKnown(state.gauges.readers)) {
    parts.push(`read by ${format.counted(state.gauges.readers, "reader")}`);
  }
  return parts.join(", ");
}
