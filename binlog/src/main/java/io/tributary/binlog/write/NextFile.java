package io.tributary.binlog.write;

import io.tributary.common.gtid.GtidSet;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The next file: its head, from the magic number to the full cut, and all GTIDs before it. */
record NextFile(Path path, ByteBuffer head, GtidSet previousGtids) {}
