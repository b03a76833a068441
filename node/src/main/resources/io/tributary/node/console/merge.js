// One node shows the whole cluster: what it does not know itself is taken from the summaries of the other members.

/** The parts that only the node has whose pipeline runs. */
const OF_PIPELINE = ["shards", "links", "held", "changes", "transactions"];

/** The state with the parts of other members; state.from has the names of the nodes that they are from. */
export function merged(own) {
  const state = { ...own, from: {} };
  const peers = parsed(own.peers);
  const running = peers.find((peer) => peer.held && peer.shards.states.unknown < peer.shards.total);
  const doesNotOrder = !own.held || own.shards.states.unknown === own.shards.total;
  if (running && doesNotOrder) {
    state.from.pipeline = running.node.name;
    state.from.hasDetails = running.audience === "operator";
    for (const part of OF_PIPELINE) {
      state[part] = running[part];
    }
  }
  const leading = peers.find((peer) => peer.dumper?.state === "leads" && typeof peer.gauges.readers === "number");
  if (leading && own.dumper?.state !== "leads") {
    state.from.readers = leading.node.name;
    state.readers = leading.readers;
    state.gauges = { ...own.gauges, readers: leading.gauges.readers, readersWaitingBytes: leading.gauges.readersWaitingBytes, semiSyncReaders: leading.gauges.semiSyncReaders };
  }
  state.totals = { ...own.totals };
  for (const peer of [running, leading]) {
    for (const [name, value] of Object.entries(peer?.totals ?? {})) {
      state.totals[name] ??= name === "copiedBytes" ? null : value;
    }
  }
  state.problems = [...own.problems, ...peers.flatMap((peer) => peer.problems.filter((problem) => !(own.cluster?.leader && problem.text.startsWith("The cluster has no leader"))).map((problem) => ({ ...problem, text: `${peer.node.name}: ${problem.text}` })))];
  return state;
}

function parsed(peers) {
  return Object.values(peers ?? {}).flatMap((text) => {
    try {
      const peer = JSON.parse(text);
      return isWhole(peer) ? [peer] : [];
    } catch {
      return []; // the answer was cut
    }
  });
}

/** Whether a document has the parts that this page needs: a node of another version may send others. */
function isWhole(peer) {
  return typeof peer.node.name === "string" && Array.isArray(peer.problems) && [peer.shards, peer.links, peer.readers].every((list) => Array.isArray(list.shown)) && typeof peer.shards.states === "object" && typeof peer.totals === "object" && typeof peer.gauges === "object";
}
