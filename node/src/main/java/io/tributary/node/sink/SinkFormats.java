package io.tributary.node.sink;

import io.tributary.sink.avro.AvroFormat;
import io.tributary.sink.avro.AvroOptions;
import io.tributary.sink.canal.CanalFormat;
import io.tributary.sink.debezium.DebeziumFormat;
import io.tributary.sink.debezium.DecimalForm;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.message.HiddenColumns;
import io.tributary.sink.message.MessageFormat;
import io.tributary.sink.open.OpenFormat;
import io.tributary.sink.registry.SchemaRegistry;
import io.tributary.sink.simple.SimpleFormat;

/** Makes the format of the messages that the keys choose. */
final class SinkFormats {
    private SinkFormats() {}

    /** @throws io.tributary.common.error.TributaryException TLS_UNUSABLE */
    static MessageFormat of(SinkConfig keys) {
        SinkMessagesConfig messages = keys.messages();
        FormatOptions options = messages.options(keys.from().name());
        MessageFormat format = of(messages, options);
        return messages.selection()
                .columns()
                .map(patterns -> (MessageFormat) new HiddenColumns(format, patterns::matches))
                .orElse(format);
    }

    private static MessageFormat of(SinkMessagesConfig messages, FormatOptions options) {
        return switch (messages.protocol()) {
            case CANAL_JSON -> new CanalFormat(options);
            case DEBEZIUM_JSON ->
                new DebeziumFormat(
                        options, messages.forms().debeziumDecimals().orElse(DecimalForm.exact(options.schemas())));
            case AVRO ->
                new AvroFormat(
                        options,
                        new AvroOptions(
                                messages.forms().decimals(), messages.forms().unsigned()),
                        new SchemaRegistry(messages.registry().access()));
            case OPEN_PROTOCOL -> new OpenFormat();
            case SIMPLE -> new SimpleFormat();
        };
    }
}
