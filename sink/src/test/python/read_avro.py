"""Decodes messages in Confluent's envelope with fastavro.

Reads JSON from a file: {"schemas": {"<id>": "<schema>"}, "messages": ["<hexadecimal digits>"]}. Prints a line of JSON for each message: the record, with
bytes as {"bytes": "<hexadecimal digits>"} and decimals as {"decimal": "<digits>"}.
"""

import decimal
import io
import json
import struct
import sys

import fastavro


def plain(value):
    if isinstance(value, bytes):
        return {"bytes": value.hex().upper()}
    if isinstance(value, decimal.Decimal):
        return {"decimal": format(value, "f")}
    return value


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        task = json.load(file)
    decimal.getcontext().prec = 100
    schemas = {
        int(number): fastavro.parse_schema(json.loads(text))
        for number, text in task["schemas"].items()
    }
    for message in task["messages"]:
        data = bytes.fromhex(message)
        magic, number = struct.unpack(">bI", data[:5])
        if magic != 0:
            raise ValueError(f"expected a byte 0, found {magic}")
        body = io.BytesIO(data[5:])
        record = fastavro.schemaless_reader(body, schemas[number], None)
        if body.read():
            raise ValueError("expected the end after the record")
        print(json.dumps({name: plain(value) for name, value in record.items()}))


main()
