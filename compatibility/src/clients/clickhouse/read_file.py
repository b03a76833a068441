"""Reads a file with ClickHouse (chDB, which is ClickHouse in this process). Arguments: a query. Prints "R " and its only column for each row."""

import sys

import chdb


def main():
    for line in str(chdb.query(sys.argv[1], "TSVRaw")).splitlines():
        print("R " + line)


main()
