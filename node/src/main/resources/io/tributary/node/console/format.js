// Numbers, sizes and times as short texts.

const known = (value) => typeof value === "number" && Number.isFinite(value);

/** The latest date that a browser can show. */
const MOST_MILLIS = 8.64e15;

export function count(value) {
  return known(value) ? Math.round(value).toLocaleString("en-US") : "–";
}

export function bytes(value) {
  if (!known(value)) {
    return "–";
  }
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let size = value;
  let unit = 0;
  while (Math.abs(size) >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

/** A rate without its unit: three digits are enough. */
export function rate(value) {
  if (!known(value)) {
    return "–";
  }
  return value >= 10000 ? `${(value / 1000).toFixed(1)}k` : value >= 100 ? count(value) : value >= 10 ? value.toFixed(0) : value.toFixed(1);
}

export function seconds(value) {
  if (!known(value)) {
    return "–";
  }
  if (value < 1) {
    return `${Math.max(0, Math.round(value * 1000))} ms`;
  }
  if (value < 60) {
    return `${value.toFixed(1)} s`;
  }
  if (value < 3600) {
    return `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
  }
  return value < 172800 ? `${(value / 3600).toFixed(1)} h` : `${Math.floor(value / 86400)} d`;
}

export function time(millis) {
  return known(millis) && millis > 0 && millis < MOST_MILLIS ? `${new Date(millis).toISOString().slice(0, 19).replace("T", " ")} UTC` : "–";
}

export const isKnown = known;

/** A number of things: counted(1, "shard") is "1 shard", counted(2, "shard") is "2 shards". */
export const counted = (value, one, several = `${one}s`) => `${count(value)} ${value === 1 ? one : several}`;
