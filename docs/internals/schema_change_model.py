#!/usr/bin/env python3
"""Executable model of rule 5 of schema-changes.md: when TRUNCATE of a table with several members is written.

A schedule is two or three shards with one or two physical tables (members) of one logical table each. The log of
a shard has local inserts and deletes, PREPARE and COMMIT of distributed transactions, and one TRUNCATE of each
member. The order of the output is that of ordering-rules.md. By rule 5

  - a TRUNCATE at the head of the queue of its shard waits until the TRUNCATE of every other member is received;
  - then it is written, once;
  - from there on, the rows of a member whose own TRUNCATE is not processed are left out.

At the end a replica of the output must hold the union of all members. The result of one schedule is

  right  the replica holds the union        wrong  it holds other rows
  stops  a row is duplicate or missing      stuck  every shard waits

usage: schema_change_model.py [SCHEDULES] [SEED] [--mutate NAME]
exit status: 0 all schedules are right, 1 a schedule is not right, 2 wrong arguments

The Java counterparts with more statements (RENAME, DROP and CREATE, changes of columns) are MemberModelTest and
SchemaModelTest.
"""
import argparse
import random
import sys
from collections import Counter, namedtuple

MUTATIONS = {
    "first": "TRUNCATE is written at the first member, and all rows are written",
    "last": "TRUNCATE is written at the last member",
    "barrier": "a TRUNCATE waits until that of every other member is at the head of a queue or processed",
    "processed": "a shard is read only when all that is received of it is processed",
    "by-shard": "TRUNCATE is counted by shard and not by member",
}

INSERT, DELETE, PREPARE, COMMIT, TRUNCATE = "insert", "delete", "prepare", "commit", "truncate"

# member: (shard, table); key: the primary key of the row; transaction: number of a distributed transaction
Entry = namedtuple("Entry", "kind member key transaction")


class Schedule:
    """The logs of the shards, and what their members hold at the end."""

    def __init__(self, draw):
        self.draw = draw
        shards, tables = draw.randint(2, 3), draw.randint(1, 2)
        self.members = [(shard, table) for shard in range(shards) for table in range(tables)]
        self.logs = [[] for _ in range(shards)]
        self.branches = {}  # transaction -> its members
        self.rows = {member: set() for member in self.members}
        self.prepared = {member: {} for member in self.members}  # transaction -> key
        self.truncated = set()
        self.keys = 0
        for _ in range(draw.randrange(10, 40)):
            draw.choice((self.insert, self.delete, self.prepare, self.commit, self.commit, self.truncate))(
                draw.choice(self.members)
            )
        for member in self.members:
            while self.prepared[member]:
                self.commit(member)
            self.truncate(member)
            self.insert(member)

    def log(self, kind, member, key=None, transaction=None):
        self.logs[member[0]].append(Entry(kind, member, key, transaction))

    def new_key(self):
        self.keys += 1
        return self.keys

    def insert(self, member):
        key = self.new_key()
        self.rows[member].add(key)
        self.log(INSERT, member, key)

    def delete(self, member):
        if self.rows[member]:
            key = self.draw.choice(sorted(self.rows[member]))
            self.rows[member].remove(key)
            self.log(DELETE, member, key)

    def prepare(self, member):
        """Inserts a row into each of two members on two shards; the branches commit later, one by one."""
        other = self.draw.choice([each for each in self.members if each[0] != member[0]])
        transaction = len(self.branches)
        self.branches[transaction] = {member, other}
        for each in (member, other):
            key = self.new_key()
            self.prepared[each][transaction] = key
            self.log(PREPARE, each, key, transaction)

    def commit(self, member):
        if self.prepared[member]:
            transaction = self.draw.choice(sorted(self.prepared[member]))
            self.rows[member].add(self.prepared[member].pop(transaction))
            self.log(COMMIT, member, None, transaction)

    def truncate(self, member):
        if member not in self.truncated and not self.prepared[member]:  # a prepared branch holds a metadata lock
            self.truncated.add(member)
            self.rows[member].clear()
            self.log(TRUNCATE, member)

    def union(self):
        return set().union(*self.rows.values())


class Replay:
    """The collector and a replica of its output."""

    def __init__(self, schedule, draw, mutation):
        self.schedule, self.draw, self.mutation = schedule, draw, mutation
        self.logs = schedule.logs
        self.received = [0] * len(self.logs)  # how many entries of each log
        self.processed = [0] * len(self.logs)
        self.ready = {transaction: {} for transaction in schedule.branches}  # member -> key
        self.emitted = set()
        self.is_written = False
        self.had = set()  # members whose TRUNCATE is processed
        self.replica = set()
        self.has_stopped = False

    def run(self):
        while any(self.processed[shard] < len(log) for shard, log in enumerate(self.logs)):
            if not self.step() and not self.can_receive():
                return "stuck"
        if self.has_stopped:
            return "stops"
        return "right" if self.replica == self.schedule.union() else "wrong"

    def step(self):
        """Receives some entries at random and processes at most one; whether there was anything to do."""
        progress = False
        shards = list(range(len(self.logs)))
        self.draw.shuffle(shards)
        for shard in shards:
            if self.may_receive(shard) and self.draw.random() < 0.5:
                self.received[shard] += 1
                progress = True
            if self.processed[shard] < self.received[shard]:
                if self.process(shard, self.logs[shard][self.processed[shard]]):
                    self.processed[shard] += 1
                    return True
        return progress

    def may_receive(self, shard):
        """Receiving never waits for processing."""
        waits = self.mutation == "processed" and self.processed[shard] < self.received[shard]
        return self.received[shard] < len(self.logs[shard]) and not waits

    def can_receive(self):
        return any(self.may_receive(shard) for shard in range(len(self.logs)))

    def process(self, shard, entry):
        """False when the shard waits at the entry."""
        if entry.kind in (INSERT, DELETE):
            self.write(entry.kind, entry.member, entry.key)
        elif entry.kind == PREPARE:
            self.ready[entry.transaction][entry.member] = entry.key
        elif entry.kind == COMMIT:
            return self.commit(entry.transaction)
        elif self.waits(entry):
            return False
        else:
            self.truncate(entry.member)
        return True

    def commit(self, transaction):
        members = self.schedule.branches[transaction]
        if transaction not in self.emitted:
            if set(self.ready[transaction]) != members:
                return False
            if not all(self.is_received(COMMIT, member, transaction) for member in members):
                return False
            self.emitted.add(transaction)
            for member in sorted(members):
                self.write(INSERT, member, self.ready[transaction][member])
        return True

    def is_received(self, kind, member, transaction=None):
        shard = member[0]
        return Entry(kind, member, None, transaction) in self.logs[shard][: self.received[shard]]

    # ---- rule 5

    def waits(self, entry):
        if self.is_written or self.mutation in ("first", "last"):
            return False
        others = [member for member in self.schedule.members if member != entry.member]
        if self.mutation == "barrier":
            return not all(member in self.had or self.is_at_head(member) for member in others)
        if self.mutation == "by-shard":
            shards = {member[0] for member in self.schedule.members if self.is_received(TRUNCATE, member)}
            return len(shards) < len(self.logs)
        return not all(self.is_received(TRUNCATE, member) for member in others)

    def is_at_head(self, member):
        """Whether the TRUNCATE of a member is next in its shard, or follows those of other members directly."""
        for entry in self.logs[member[0]][self.processed[member[0]] : self.received[member[0]]]:
            if entry.kind != TRUNCATE:
                return False
            if entry.member == member:
                return True
        return False

    def truncate(self, member):
        self.had.add(member)
        is_last = len(self.had) == len(self.schedule.members)
        if is_last if self.mutation == "last" else not self.is_written:
            self.is_written = True
            self.replica.clear()

    def is_left_out(self, member):
        if not self.is_written or self.mutation in ("first", "last"):
            return False
        if self.mutation == "by-shard":
            return member[0] not in {each[0] for each in self.had}
        return member not in self.had

    def write(self, kind, member, key):
        if self.is_left_out(member):
            return
        if (kind == INSERT) == (key in self.replica):
            self.has_stopped = True
        (self.replica.add if kind == INSERT else self.replica.discard)(key)


def run(schedules, seed, mutation):
    results = Counter()
    for number in range(schedules):
        draw = random.Random(seed * 1000003 + number)
        result = Replay(Schedule(draw), draw, mutation).run()
        results[result] += 1
        if result != "right" and not mutation:
            print("violation: seed %d, schedule %d: %s" % (seed, number, result))
            return 1
    shown = ", ".join("%d %s" % (results[each], each) for each in ("right", "wrong", "stops", "stuck"))
    violated = results["right"] < schedules
    print("%s%d schedules: %s" % ("violation: " if violated else "", schedules, shown))
    return 1 if violated else 0


def main():
    parser = argparse.ArgumentParser(
        description="Checks rule 5 of schema-changes.md on random schedules.",
        epilog="mutations: " + "; ".join("%s: %s" % each for each in MUTATIONS.items()),
    )
    parser.add_argument("schedules", nargs="?", type=int, default=1000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--mutate", choices=sorted(MUTATIONS), help="break the rule; a violation is expected")
    arguments = parser.parse_args()
    return run(arguments.schedules, arguments.seed, arguments.mutate)


if __name__ == "__main__":
    sys.exit(main())
