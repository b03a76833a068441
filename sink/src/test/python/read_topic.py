"""Reads the committed messages of all partitions of a topic with librdkafka, to the present end.

Arguments: the addresses of the brokers, the topic. Prints a line of JSON for each message, in the order in which they came: partition, offset, key and value
(hexadecimal digits, or null), and headers as pairs of a name and hexadecimal digits.
"""

import json
import sys

from confluent_kafka import Consumer, KafkaError, TopicPartition


def digits(data):
    return None if data is None else data.hex()


def main():
    brokers, topic = sys.argv[1:]
    consumer = Consumer(
        {
            "bootstrap.servers": brokers,
            "group.id": "read_topic",
            "isolation.level": "read_committed",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
        }
    )
    partitions = consumer.list_topics(topic, timeout=30).topics[topic].partitions
    consumer.assign([TopicPartition(topic, number, 0) for number in partitions])
    left = set(partitions)
    while left:
        message = consumer.poll(60)
        if message is None:
            raise TimeoutError(f"no end of the partitions {left} in 60 s")
        if message.error():
            if message.error().code() == KafkaError._PARTITION_EOF:
                left.discard(message.partition())
            elif message.error().fatal():
                raise RuntimeError(message.error())
            continue
        print(
            json.dumps(
                {
                    "partition": message.partition(),
                    "offset": message.offset(),
                    "key": digits(message.key()),
                    "value": digits(message.value()),
                    "headers": [
                        [name, digits(value)] for name, value in message.headers() or []
                    ],
                }
            )
        )
    consumer.close()


main()
