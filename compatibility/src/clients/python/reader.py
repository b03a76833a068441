"""Reads a source by python-mysql-replication and prints what it reads in the matrix's common form: R, T and D lines.

Arguments: mode (gtid, position or statements), port, user, password, first file.
"""

import re
import sys

import pymysql
from pymysqlreplication import BinLogStreamReader
from pymysqlreplication.event import QueryEvent, XidEvent
from pymysqlreplication.row_event import DeleteRowsEvent, UpdateRowsEvent, WriteRowsEvent

DDL = re.compile(r"\s*(create|alter|drop|rename|truncate)\s", re.IGNORECASE)
ROWS = {WriteRowsEvent: ("insert", ["values"]), DeleteRowsEvent: ("delete", ["values"]),
        UpdateRowsEvent: ("update", ["before_values", "after_values"])}


def text(value):
    if isinstance(value, (set, frozenset)):
        return repr(sorted(value))
    if isinstance(value, dict):
        return repr(sorted((str(key), text(item)) for key, item in value.items()))
    return repr(value).replace("\t", " ")


def read(mode, settings, first_file):
    where = {"auto_position": ""} if mode == "gtid" else {"log_file": first_file, "log_pos": 4, "resume_stream": True}
    stream = BinLogStreamReader(
        connection_settings=settings, server_id=4714, blocking=True, slave_heartbeat=5, **where,
        only_events=[QueryEvent, XidEvent, *ROWS])
    done = False
    for event in stream:
        if isinstance(event, XidEvent):
            print("T")
            if done:
                break
        elif isinstance(event, QueryEvent):
            query = event.query if isinstance(event.query, str) else event.query.decode()
            if DDL.match(query):
                print("D\t" + " ".join(query.split()))
        else:
            action, images = ROWS[type(event)]
            table = event.schema + "." + event.table
            done = done or table == "shop.done"
            for row in event.rows:
                key = row[images[0]].get("id", next(iter(row[images[0]].values())))
                values = "\t".join(text(value) for image in images for value in row[image].values())
                print(f"R\t{table}\t{key}\t{action}\t{values}")
    stream.close()


def ask(settings):
    """Each statement of standard input: the columns of its answer, or its error; with a "=" before it, its rows too."""
    connection = pymysql.connect(**settings)
    with connection.cursor() as cursor:
        for line in sys.stdin.read().splitlines():
            statement = line.removeprefix("=")
            try:
                cursor.execute(statement)
                names = [column[0] for column in cursor.description or []]
                values = text(cursor.fetchall()) if line.startswith("=") else ""
                print(f"R\tstatement\t{statement}\t{names}\t{values}")
            except pymysql.MySQLError as error:
                print(f"R\tstatement\t{statement}\terror {error.args[0]}")
            print("T")
    connection.close()


def main():
    mode, port, user, password, first_file = sys.argv[1:6]
    settings = {"host": "127.0.0.1", "port": int(port), "user": user, "passwd": password}
    if mode == "statements":
        ask(settings)
    else:
        read(mode, settings, first_file)


if __name__ == "__main__":
    main()
