#!/usr/bin/env python3
"""Executable model of the `xa` order: the rules of ordering-rules.md, checked on random schedules.

A schedule is drawn in real time: strict two-phase locking, two-phase commit, skewed shard clocks, heartbeat
rounds whose writer may die, and one shard that may refuse rounds for a time. Then the logs of the shards are
merged, by key or in any other interleaving that keeps the order of each shard, and the collector receives them.
It stops at random cuts, and a new collector continues from each cut. Whatever the clocks show, the output must have

  once      each committed transaction once, none that was rolled back, none without one of its branches
  shard     the local transactions of a shard in the commit order of that shard
  conflict  two transactions that wrote the same row in the order in which they held its lock

usage: ordering_model.py [SCHEDULES] [SEED] [--mutate NAME]
exit status: 0 all schedules are right, 1 a schedule violates a promise, 2 wrong arguments

The Java counterpart with more cases (a gtrid that is used again, shards that join and leave) is GlobalOrderModelTest.
"""
import argparse
import heapq
import itertools
import random
import sys
from collections import deque, namedtuple

MUTATIONS = {
    "early": "a transaction needs only the round that ends the window of its commit, not a later one",
    "takeover": "a new writer of rounds does not wait until every shard refuses the old writer",
    "count": "a takeover counts as a round",
    "in-flight": "a round arrives late at a shard that was passed over",
    "ready": "a transaction is emitted before all that precedes its PREPAREs is processed",
    "reread": "a new collector reads from the frontier and not from `resume`",
}

LOCAL, PREPARE, COMMIT, ROLLBACK, ROUND = "local", "prepare", "commit", "rollback", "round"

# transaction: number, -1 of a round; place: index in the log of the shard; round: number, 0 if it is no round
Token = namedtuple("Token", "kind transaction shard time place rows round")


class Violation(Exception):
    """A promise that the output does not keep."""


class Schedule:
    """One run of a cluster: the log of each shard, and for each row the transactions that held its lock."""

    def __init__(self, draw, shards, transactions, rows, skew, mutation):
        self.draw, self.shards, self.mutation = draw, shards, mutation
        self.logs = [[] for _ in range(shards)]
        self.history = {}  # (shard, row) -> committed transactions in the order of the lock
        self.locks = {}  # (shard, row) -> what waits for it
        self.clock_error = [draw.uniform(-skew, skew) for _ in range(shards)]
        self.epochs = [0] * shards  # the epoch in the heartbeat table of each shard
        self.landed = [0] * shards  # the newest round in the log of each shard
        self.newest_round = 0
        self.refusing = draw.randrange(shards) if draw.random() < 0.33 else -1
        self.refuses_from = draw.uniform(0, transactions)
        self.refuses_until = self.refuses_from + draw.uniform(0, transactions)
        self.ended = 0
        self.events, self.numbers = [], itertools.count()
        self.run(transactions, rows)

    def at(self, time, action):
        heapq.heappush(self.events, (time, next(self.numbers), action))

    def run(self, transactions, rows):
        self.at(0, lambda now: self.next_round(now, 1))
        for number in range(transactions):
            width = 1 if self.draw.random() < 0.5 else self.draw.randint(2, self.shards)
            plan = {
                shard: sorted(self.draw.sample(range(rows), self.draw.randint(1, 2)))
                for shard in self.draw.sample(range(self.shards), width)
            }
            aborts = self.draw.random() < 0.1
            self.at(self.draw.uniform(0, transactions), lambda now, n=number, p=plan, a=aborts: self.lock(now, n, p, a))
        last_round = None  # until every transaction has ended and each shard has three more rounds
        while self.events:
            now, _, action = heapq.heappop(self.events)
            action(now)
            if self.ended == transactions and last_round is None:
                last_round = self.newest_round + 3
            if last_round is not None and min(self.landed) >= last_round:
                break

    def log(self, now, shard, kind, transaction, rows=(), round_number=0):
        log = self.logs[shard]
        time = now + self.clock_error[shard]
        if log:
            time = max(time, log[-1].time + 1e-6)
        log.append(Token(kind, transaction, shard, time, len(log), tuple(rows), round_number))

    # ---- transactions

    def lock(self, now, number, plan, aborts):
        wanted = deque(sorted((shard, row) for shard in plan for row in plan[shard]))  # one order: no deadlock

        def take(now):
            if not wanted:
                self.locked(now, number, plan, aborts)
            elif wanted[0] in self.locks:
                self.locks[wanted[0]].append(take)
            else:
                self.locks[wanted.popleft()] = []
                self.at(now + self.draw.uniform(0.01, 1), take)

        take(now)

    def locked(self, now, number, plan, aborts):
        if len(plan) == 1:
            shard = next(iter(plan))
            if not aborts:
                self.log(now, shard, LOCAL, number, plan[shard])
            self.release(now, shard, number, plan, aborts)
            self.ended += 1
            return
        to_prepare, to_decide = set(plan), set(plan)

        def prepare(now, shard):
            self.log(now, shard, PREPARE, number, plan[shard])
            to_prepare.discard(shard)
            if not to_prepare:  # every branch is prepared: decide
                for branch in plan:
                    self.at(now + self.pause(40), lambda later, branch=branch: decide(later, branch))

        def decide(now, shard):
            self.log(now, shard, ROLLBACK if aborts else COMMIT, number)
            self.release(now, shard, number, plan, aborts)
            to_decide.discard(shard)
            self.ended += not to_decide

        for shard in plan:
            self.at(now + self.pause(30), lambda later, shard=shard: prepare(later, shard))

    def pause(self, longest):
        return self.draw.choice([0.01, 0.5, 5, longest]) * self.draw.random()

    def release(self, now, shard, number, plan, aborts):
        for row in plan[shard]:
            for waiting in self.locks.pop((shard, row)):
                self.at(now + self.draw.uniform(0, 0.5), waiting)
            if not aborts:
                self.history.setdefault((shard, row), []).append(number)

    # ---- heartbeat rounds

    def next_round(self, now, epoch):
        self.newest_round += 1
        if self.draw.random() < 0.03:  # the writer dies; what it has sent may still arrive
            self.write(now, epoch, self.newest_round, lambda later: None)
            self.at(now + self.draw.uniform(0, 4), lambda later: self.take_over(later, epoch + 1))
        else:
            self.write(
                now,
                epoch,
                self.newest_round,
                lambda done: self.at(done + self.draw.uniform(0.5, 5), lambda later: self.next_round(later, epoch)),
            )

    def take_over(self, now, epoch):
        if self.mutation == "takeover":
            self.next_round(now, epoch)
            return
        if self.mutation == "count":
            self.newest_round += 1
        number = self.newest_round if self.mutation == "count" else 0
        self.write(now, epoch, number, lambda later: self.next_round(later, epoch))

    def write(self, now, epoch, number, when_acknowledged):
        """Writes a round, or with number 0 a takeover, to every shard."""
        missing = set(range(self.shards))

        def arrive(now, shard):
            if self.epochs[shard] > epoch:
                return  # superseded: the WHERE of the statement refuses the write
            if number and shard == self.refusing and self.refuses_from <= now < self.refuses_until:
                if self.mutation == "in-flight":  # else the shard is passed over, and nothing is under way to it
                    self.at(now + self.draw.uniform(1, 40), lambda later: arrive_late(later, shard))
            else:
                self.epochs[shard] = epoch
                if number:
                    self.land(now, shard, number)
            missing.discard(shard)
            if not missing:
                when_acknowledged(now)

        def arrive_late(now, shard):
            if self.epochs[shard] == epoch and self.landed[shard] < number:
                self.land(now, shard, number)

        for shard in range(self.shards):
            delay = self.draw.choice([1, 1, 1, 30]) * self.draw.uniform(0.01, 3)
            self.at(now + delay, lambda later, shard=shard: arrive(later, shard))

    def land(self, now, shard, number):
        self.log(now, shard, ROUND, -1, (), number)
        self.landed[shard] = max(self.landed[shard], number)


class Transaction:
    """What the collector knows of a distributed transaction that is not emitted."""

    def __init__(self):
        self.branches = {}  # shard -> PREPARE
        self.ready = set()  # shards on which all before the PREPARE is processed
        self.committed = set()
        self.certain = set()  # shards that have sent a round after the COMMIT
        self.needed_round = 0  # every round from this one on began after each of those commits


class Cut:
    """What a new collector needs; per shard `resume` <= `frontier`."""

    def __init__(self, resume, frontier, rounds, still_open):
        self.resume, self.frontier, self.rounds, self.still_open = resume, frontier, rounds, still_open


class Collector:
    """Receives the tokens of all shards and emits whole transactions."""

    def __init__(self, cut, mutation):
        shards = range(len(cut.frontier))
        self.start, self.mutation = cut, mutation
        self.queues = [deque() for _ in shards]
        self.received_round = list(cut.rounds)
        self.processed_round = list(cut.rounds)
        self.frontier = list(cut.frontier)
        self.still_open = set(cut.still_open)  # (transaction, shard): emitted, COMMIT not processed
        self.caught_up = [cut.resume[shard] == cut.frontier[shard] for shard in shards]
        self.windows = [[] for _ in shards]  # transactions with a COMMIT after the last round received
        self.transactions = {}
        self.output = []

    # Rule 1: what a token shows as soon as it is received, whatever precedes it in the queue of its shard.
    def receive(self, token):
        shard, number = token.shard, token.transaction
        if token.place + 1 >= self.start.frontier[shard]:
            self.caught_up[shard] = True
        if token.place < self.start.frontier[shard]:
            self.reread(token)
            return
        if token.kind == ROUND:
            for each in self.windows[shard]:
                transaction = self.transactions[each]
                transaction.certain.add(shard)
                needed = token.round + (self.mutation != "early")
                transaction.needed_round = max(transaction.needed_round, needed)
            self.windows[shard] = []
            self.received_round[shard] = max(self.received_round[shard], token.round)
        elif token.kind == PREPARE:
            self.known(number).branches[shard] = token
        elif token.kind == COMMIT and (number, shard) not in self.still_open:
            require(shard in self.known_branches(number), "COMMIT of a branch that is not known")
            self.transactions[number].committed.add(shard)
            self.windows[shard].append(number)
        elif token.kind == ROLLBACK:
            self.drop(number, shard)
        self.queues[shard].append(token)

    def reread(self, token):
        """Before the frontier of the cut only a branch that is still pending matters."""
        shard, number = token.shard, token.transaction
        if token.kind == PREPARE and (number, shard) not in self.still_open:
            self.known(number).branches[shard] = token
            self.known(number).ready.add(shard)
        elif token.kind in (COMMIT, ROLLBACK):
            self.drop(number, shard)

    def known(self, number):
        return self.transactions.setdefault(number, Transaction())

    def drop(self, number, shard):
        transaction = self.transactions.get(number)
        if transaction:
            transaction.branches.pop(shard, None)
            transaction.ready.discard(shard)
            if not transaction.branches:
                del self.transactions[number]

    # Rule 2: the queues of the shards that do not wait, in key order.
    def process(self):
        """One step; False when every shard waits."""
        heads = sorted((queue[0].time, queue[0].shard) for queue in self.queues if queue)
        return any(self.process_head(shard) for _, shard in heads)

    def process_head(self, shard):
        token = self.queues[shard][0]
        number = token.transaction
        if token.kind == LOCAL:
            self.output.append((number, {shard: token.rows}))
        elif token.kind == PREPARE:
            if shard in self.known_branches(number):
                self.transactions[number].ready.add(shard)
        elif token.kind == ROUND:
            self.processed_round[shard] = max(self.processed_round[shard], token.round)
        elif token.kind == COMMIT:
            if (number, shard) not in self.still_open and not self.emit_when_complete(number):
                return False
            self.still_open.discard((number, shard))  # rule 4: the COMMIT of an emitted transaction passes
        self.queues[shard].popleft()
        self.frontier[shard] = token.place + 1
        return True

    def known_branches(self, number):
        transaction = self.transactions.get(number)
        return transaction.branches if transaction else {}

    # Rule 3: the COMMIT of a transaction that is not emitted.
    def emit_when_complete(self, number):
        transaction = self.transactions[number]
        if not self.is_complete(transaction):
            return False  # this shard waits; the others continue
        self.output.append((number, {shard: prepare.rows for shard, prepare in transaction.branches.items()}))
        self.still_open |= {(number, shard) for shard in transaction.branches}
        del self.transactions[number]
        return True

    def is_complete(self, transaction):
        branches = set(transaction.branches)
        return (
            all(self.caught_up)
            and branches <= transaction.committed & transaction.certain  # every branch has committed
            and min(self.received_round) >= transaction.needed_round  # and no unknown branch can appear
            and (self.mutation == "ready" or branches <= transaction.ready)
        )

    def cut(self):
        resume = list(self.frontier)
        for shard in range(len(resume)):
            if not self.caught_up[shard]:
                resume[shard] = self.start.resume[shard]
            elif self.mutation != "reread":
                pending = [
                    each.branches[shard].place for each in self.transactions.values() if shard in each.ready
                ]
                resume[shard] = min([resume[shard]] + pending)
        return Cut(resume, list(self.frontier), list(self.processed_round), set(self.still_open))


def merged(logs, resume, draw, at_random):
    """The logs from `resume` on as one sequence: by key, or in a random interleaving (the key proves nothing)."""
    keyed = []
    for shard, log in enumerate(logs):
        window = 1  # the round that ends the window of a token
        for token in log:
            if token.place >= resume[shard]:
                keyed.append((window, token.time, shard, token))
            if token.kind == ROUND:
                window = max(window, token.round + 1)
    if not at_random:
        return deque(key[3] for key in sorted(keyed, key=lambda key: key[:3]))
    left = [deque(key[3] for key in keyed if key[2] == shard) for shard in range(len(logs))]
    sequence = deque()
    while any(left):
        queue = draw.choice([queue for queue in left if queue])
        for _ in range(min(len(queue), draw.randint(1, 30))):
            sequence.append(queue.popleft())
    return sequence


def replay(schedule, draw, mutation):
    """The output of collectors that follow each other; also the number of restarts."""
    shards = schedule.shards
    at_random = draw.random() < 0.3
    output, restarts = [], 0
    collector = Collector(Cut([0] * shards, [0] * shards, [0] * shards, set()), mutation)
    tokens = merged(schedule.logs, [0] * shards, draw, at_random)
    while tokens:
        collector.receive(tokens.popleft())
        most = draw.randrange(4) if draw.random() < 0.125 else -1
        while most != 0 and collector.process():
            most -= 1
        if draw.random() < 0.01:
            cut = collector.cut()
            output += collector.output
            restarts += 1
            collector = Collector(cut, mutation)
            tokens = merged(schedule.logs, cut.resume, draw, at_random)
    while collector.process():
        pass
    return output + collector.output, restarts


def check(schedule, output):
    """Raises Violation where the output does not keep a promise; returns the number of transactions."""
    place = {number: at for at, (number, _) in enumerate(output)}
    require(len(place) == len(output), "a transaction is emitted twice")
    committed = set()
    for log in schedule.logs:
        last_local = -1
        for token in log:
            number = token.transaction
            if token.kind in (LOCAL, COMMIT):
                committed.add(number)
            if token.kind in (LOCAL, PREPARE) and number in place:
                rows = output[place[number]][1].get(token.shard)
                require(rows == token.rows, "transaction %s lacks its branch of shard %s" % (number, token.shard))
            if token.kind == LOCAL and number in place:
                require(last_local < place[number], "shard %s: local transactions in another order" % token.shard)
                last_local = place[number]
    require(set(place) <= committed, "a transaction that was rolled back is emitted")
    for (shard, row), numbers in schedule.history.items():
        places = [place.get(number, len(output)) for number in numbers]
        require(places == sorted(places), "row %s of shard %s: writes in another order" % (row, shard))
    require(len(place) == len(committed), "%d committed transactions are not emitted" % (len(committed) - len(place)))
    return len(committed)


def require(holds, problem):
    if not holds:
        raise Violation(problem)


def run(schedules, seed, mutation):
    transactions = restarts = 0
    for number in range(schedules):
        draw = random.Random(seed * 1000003 + number)
        schedule = Schedule(
            draw, draw.randint(2, 5), draw.randint(10, 80), draw.randint(2, 6), draw.choice([0, 1, 10, 100]), mutation
        )
        try:
            output, again = replay(schedule, draw, mutation)
            transactions += check(schedule, output)
        except Violation as problem:
            print("violation: seed %d, schedule %d: %s" % (seed, number, problem))
            return 1
        restarts += again
    print("%d schedules, %d restarts: %d transactions, all once, whole and in order" % (schedules, restarts, transactions))
    return 0


def main():
    parser = argparse.ArgumentParser(
        description="Checks the rules of ordering-rules.md on random schedules.",
        epilog="mutations: " + "; ".join("%s: %s" % each for each in MUTATIONS.items()),
    )
    parser.add_argument("schedules", nargs="?", type=int, help="60; with --mutate at most 2000, until one is violated")
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--mutate", choices=sorted(MUTATIONS), help="break one rule; a violation is expected")
    arguments = parser.parse_args()
    schedules = arguments.schedules or (2000 if arguments.mutate else 60)
    return run(schedules, arguments.seed, arguments.mutate)


if __name__ == "__main__":
    sys.exit(main())
