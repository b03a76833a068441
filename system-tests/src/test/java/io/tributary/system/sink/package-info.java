/** System tests of the Kafka sink: a node with the role sink as a process, and real brokers. */
package io.tributary.system.sink;
