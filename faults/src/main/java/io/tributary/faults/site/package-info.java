/** What faults are injected into: shards, the nodes of a topology, proxies on the links between them, an object store, a load and its readers. */
package io.tributary.faults.site;
