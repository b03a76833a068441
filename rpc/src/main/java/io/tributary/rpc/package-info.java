/** gRPC between nodes: mutual TLS from files that may change, and the common settings of servers and channels. */
package io.tributary.rpc;
