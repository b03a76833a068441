/** gRPC between nodes: TLS both ways from files that may change, and what every server and channel has in common. */
package io.tributary.common.rpc;
