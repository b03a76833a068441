/** Test clusters for fault tests: shards, the nodes of a topology, proxies on their links, an object store, a load and readers. */
package io.tributary.faults.site;
