package io.tributary.serve;

import io.tributary.binlog.Archive;
import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.ReadableFiles;
import io.tributary.serve.schema.SchemaService;
import io.tributary.serve.select.SelectShards;
import io.tributary.serve.statement.NodeTables;
import java.util.Optional;

/**
 * What readers may request.
 *
 * @param files the files of the binlog
 * @param node source of SHOW TRIBUTARY
 * @param schema answers questions about schemas
 * @param selects the shards that answer SELECTs on tables; empty if they are refused
 */
public record ServedContent(
        ReadableFiles files, NodeTables node, SchemaService schema, Optional<SelectShards> selects) {
    /** Without SELECTs on tables. */
    public ServedContent(ReadableFiles files, NodeTables node, SchemaService schema) {
        this(files, node, schema, Optional.empty());
    }

    /** Files only: without status tables and without a shard for questions about schemas. */
    public static ServedContent of(BinlogFiles files) {
        return new ServedContent(new ReadableFiles(files, Archive.NONE), NodeTables.NONE, SchemaService.NONE);
    }
}
