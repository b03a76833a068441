package io.tributary.dumper.serve;

import io.tributary.dumper.Archive;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.ReadableFiles;
import io.tributary.dumper.schema.SchemaService;
import io.tributary.dumper.serve.statement.NodeTables;

/**
 * What readers may request.
 *
 * @param files the files of the binlog
 * @param node source of SHOW TRIBUTARY
 * @param schema answers questions about schemas
 */
public record ServedContent(ReadableFiles files, NodeTables node, SchemaService schema) {
    /** Files only: without status tables and without a shard for questions about schemas. */
    public static ServedContent of(BinlogFiles files) {
        return new ServedContent(new ReadableFiles(files, Archive.NONE), NodeTables.NONE, SchemaService.NONE);
    }
}
