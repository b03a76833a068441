package io.tributary.compatibility.flink;

import io.tributary.compatibility.connect.ChangeRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.cdc.connectors.shaded.org.apache.kafka.connect.data.Field;
import org.apache.flink.cdc.connectors.shaded.org.apache.kafka.connect.data.Struct;
import org.apache.flink.cdc.connectors.shaded.org.apache.kafka.connect.source.SourceRecord;
import org.apache.flink.cdc.debezium.DebeziumDeserializationSchema;
import org.apache.flink.util.Collector;

/**
 * The lines of each row of Flink CDC: an R line. With transactions also, before the first row, a P line with the GTID set at which it began, and
 * before the rows of each transaction a T line for the end of the one before, and a G line with its GTID.
 */
final class ChangeLines implements DebeziumDeserializationSchema<String> {
    private static final long serialVersionUID = 1;

    private final boolean hasTransactions;
    private String gtid = "";

    ChangeLines(boolean hasTransactions) {
        this.hasTransactions = hasTransactions;
    }

    @Override
    public void deserialize(SourceRecord record, Collector<String> out) {
        ChangeRecord.of(fields(record.key()), fields(record.value()), record.sourceOffset())
                .map(this::lines)
                .ifPresent(out::collect);
    }

    private String lines(ChangeRecord change) {
        if (!hasTransactions || change.gtid().equals(gtid)) {
            return change.line();
        }
        String begin = gtid.isEmpty() ? "P\t" + change.gtids() : "T";
        gtid = change.gtid();
        return begin + "\nG\t" + gtid + "\n" + change.line();
    }

    /** The fields of a struct in order, in maps. */
    private static Map<String, Object> fields(Object struct) {
        Map<String, Object> fields = new LinkedHashMap<>();
        if (struct instanceof Struct some) {
            for (Field field : some.schema().fields()) {
                Object value = some.get(field);
                fields.put(field.name(), value instanceof Struct ? fields(value) : value);
            }
        }
        return fields;
    }

    @Override
    public TypeInformation<String> getProducedType() {
        return Types.STRING;
    }
}
