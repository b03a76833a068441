"""Runs a tap-mysql of Singer, the one beside this Python, before a source as a pipeline does, and prints what it extracts in the matrix's common form: R lines.

Arguments: mode (copy, position or gtid), port, user, password, file, position, GTID set, folder. Mode copy has no state: every table is selected with
LOG_BASED replication, which begins with a copy. The other modes give the tap the state of a run that ended at this place of the binlog, and leave the
schema with JSON out: the version of python-mysql-replication of PipelineWise's tap does not read rows that JSON_SET has changed, from any server.
"""

import json
import pathlib
import subprocess
import sys

DELETED = "_sdc_deleted_at"


def run(folder, *options):
    """What the tap prints with these options; ends as the tap does if that fails."""
    tap = pathlib.Path(sys.executable).parent / "tap-mysql"
    outcome = subprocess.run([tap, "--config", folder / "config.json", *options], stdout=subprocess.PIPE, text=True)
    if outcome.returncode:
        sys.exit(outcome.returncode)
    return outcome.stdout


def select(catalog):
    """Selects every table with replication by the binlog, without the columns that the tap asks for by hex(); answers the name of each stream's table."""
    tables = {}
    for stream in catalog["streams"]:
        for entry in stream["metadata"]:
            if entry["breadcrumb"]:
                if stream["schema"]["properties"][entry["breadcrumb"][1]].get("format") == "binary":
                    entry["metadata"]["selected"] = False
            else:
                entry["metadata"].update({"selected": True, "replication-method": "LOG_BASED"})
                tables[stream["tap_stream_id"]] = tables[stream["table_name"]] = entry["metadata"]["database-name"] + "." + stream["table_name"]
    return tables


def state(catalog, place):
    bookmark = {"log_file": place[0], "log_pos": int(place[1]), "gtid": place[2], "version": 1}
    return {"bookmarks": {stream["tap_stream_id"]: bookmark for stream in catalog["streams"]}}


def line(message, tables):
    record = dict(message["record"])
    if record.get(DELETED):
        record[DELETED] = "yes"  # a time of the server
    values = json.dumps(record, sort_keys=True)
    table = tables[message["stream"]]
    return f"R\t{table}\t{record['id']}\t{values}\nT"


def main():
    mode, port, user, password, *place, folder = sys.argv[1:]
    folder = pathlib.Path(folder)
    config = {"host": "127.0.0.1", "port": port, "user": user, "password": password, "filter_dbs": "shop,docs" if mode == "copy" else "shop",
              "server_id": "4719", "use_gtid": mode == "gtid", "engine": "mysql", "session_sqls": ["SET NAMES utf8mb4", "SET time_zone = '+00:00'"]}
    (folder / "config.json").write_text(json.dumps(config))
    catalog = json.loads(run(folder, "--discover"))
    tables = select(catalog)
    (folder / "catalog.json").write_text(json.dumps(catalog))
    options = ["--catalog", folder / "catalog.json"]
    if mode != "copy":
        (folder / "state.json").write_text(json.dumps(state(catalog, place)))
        options += ["--state", folder / "state.json"]
    for text in run(folder, *options).splitlines():
        message = json.loads(text)
        if message["type"] == "RECORD":  # the stream is named by its id, or by its table
            print(line(message, tables))


if __name__ == "__main__":
    main()
