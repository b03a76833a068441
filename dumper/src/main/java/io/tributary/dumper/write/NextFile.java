package io.tributary.dumper.write;

import io.tributary.common.gtid.GtidSet;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The file that follows: its head, from magic to the full cut, and all GTIDs before it. */
record NextFile(Path path, ByteBuffer head, GtidSet previousGtids) {}
