"""Is a copy without locks or snapshots, followed by an overwriting replay, exact? A model with random histories.

One shard, one table with primary key 1..4 and a unique column. The copy reads each key at a time of its own. X = before the copy,
Y = after the last read. The changes in (X, Y] are replayed onto the copy; from Y on changes must apply strictly.

  (no mutation)         each UPDATE as DELETE of the image before and an overwriting WRITE of the image after: never wrong
  --mutate idempotent   the events as they are, in MySQL's rbr_exec_mode=IDEMPOTENT
  --mutate in-place     UPDATE in place with overwriting
  --mutate early        Y taken at the earliest read

Exit status 1, and a line that begins with "violation: ", if a history ends with rows that differ from the shard's.
"""

import argparse
import random
import sys


# one shard, table(pk 1..4, u 1..4 unique). history = list of events; copy: each pk read at its own time; X = time 0, Y = end (behind last read)
def history(r, n):
    t = {}
    ev = []
    states = [dict(t)]
    while len(ev) < n:
        k = r.randrange(4)
        if k == 0:
            p = r.randint(1, 4)
            u = r.randint(1, 4)
            if p in t or u in t.values():
                continue
            t[p] = u
            ev.append(("i", None, (p, u)))
        elif k == 1:
            if not t:
                continue
            p = r.choice(list(t))
            ev.append(("d", (p, t.pop(p)), None))
        else:
            if not t:
                continue
            p = r.choice(list(t))
            q = p if k == 2 else r.randint(1, 4)
            u = r.randint(1, 4)
            rest = {a: b for a, b in t.items() if a != p}
            if q in rest or u in rest.values():
                continue
            ev.append(("u", (p, t[p]), (q, u)))
            t = rest
            t[q] = u
        states.append(dict(t))
    return ev, states


def write(s, p, u):  # overwrite: whatever conflicts goes
    for a in [a for a, b in s.items() if a == p or b == u]:
        del s[a]
    s[p] = u


def run(r, mode, mono, ysmall=False):
    base = r.randrange(0, 5)
    ev, st = history(r, base + r.randrange(1, 8))
    lo = base
    hi = len(ev)
    if mono:  # one snapshot
        s = r.randint(lo, hi)
        times = {p: s for p in range(1, 5)}
    else:
        times = {p: r.randint(lo, hi) for p in range(1, 5)}
    copy = {p: st[times[p]][p] for p in times if p in st[times[p]]}
    tgt = {}
    for p, u in copy.items():
        write(tgt, p, u)  # REPLACE while copying, any order
    y = hi if not ysmall else min(times.values())
    for k, b, a in ev[lo:y]:
        if mode == "dw":
            if b:
                tgt.pop(b[0], None)
            if a:
                write(tgt, *a)
        elif mode == "idem":
            if k == "i":
                write(tgt, *a)
            elif k == "d":
                tgt.pop(b[0], None)
            elif b[0] in tgt:
                rest = {x: y2 for x, y2 in tgt.items() if x != b[0]}
                if a[0] in rest or a[1] in rest.values():
                    continue  # duplicate key is suppressed
                del tgt[b[0]]
                tgt[a[0]] = a[1]
        elif mode == "inplace":
            if k == "i":
                write(tgt, *a)
            elif k == "d":
                tgt.pop(b[0], None)
            elif b[0] in tgt:
                del tgt[b[0]]
                write(tgt, *a)
    for k, b, a in ev[y:hi]:  # strict from Y on
        if b:
            if b[0] not in tgt:
                return False
            del tgt[b[0]]
        if a:
            if a[0] in tgt or a[1] in tgt.values():
                return False
            tgt[a[0]] = a[1]
    return tgt == st[hi]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mutate", choices=["idempotent", "in-place", "early"])
    parser.add_argument("--histories", type=int, default=50000)
    arguments = parser.parse_args()
    mode = {"idempotent": "idem", "in-place": "inplace"}.get(arguments.mutate, "dw")
    violations = []
    for mono in (True, False):
        r = random.Random(7)
        bad = sum(not run(r, mode, mono, arguments.mutate == "early") for _ in range(arguments.histories))
        if bad:
            kind = "one snapshot" if mono else "chunks read at any time"
            violations.append(f"violation: {kind}: {bad} of {arguments.histories} histories end with other rows")
    print("\n".join(violations) or f"{2 * arguments.histories} histories end with the shard's rows")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
