package io.tributary.node.sink;

import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import io.tributary.serve.filter.TableFilter;
import io.tributary.sink.DdlTreatment;
import io.tributary.sink.avro.AvroOptions;
import io.tributary.sink.debezium.DecimalForm;
import io.tributary.sink.mask.ColumnMasks;
import io.tributary.sink.message.FormatOptions;
import io.tributary.sink.registry.RegistryAccess;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The configuration keys of the messages of a sink. */
public record SinkMessagesConfig(
        @Key(
                value = "sink.protocol",
                byDefault = "canal-json",
                about = "Form of the messages; docs/sink.md has an example of each.")
        SinkProtocol protocol,

        Selection selection,
        Parts parts,
        Forms forms,
        Registry registry) {
    /** What is sent. */
    public record Selection(
            @Key(
                    value = "sink.tables",
                    about = "Patterns of the tables that are sent, such as 'shop.*,!shop.log_*'; not set: all.")
            Optional<String> tables,

            @Key(
                    value = "sink.columns.hidden",
                    about =
                            "Columns that no message has, as patterns such as 'shop.users.password,*.*.secret_*'. DDL statements are"
                                    + " sent as they are.")
            Optional<String> hidden,

            @Key(
                    value = "sink.columns.masked",
                    about =
                            "Columns whose values are replaced, as patterns with masks, such as"
                                    + " 'shop.users.email:hash,shop.users.phone:null,*.*.card:stars'; the first one that fits is used."
                                    + " hash: 32 hexadecimal digits that are the same for the same value; null: NULL; stars: *****.")
            Optional<String> masked,

            @Key(
                    value = "sink.mask.key",
                    secret = true,
                    about =
                            "Secret of the mask hash, at least 16 characters. Who does not have it cannot find values by trying."
                                    + " Another secret makes other hashes.")
            Optional<Secret> maskKey) {
        private static final String HIDDEN = "sink.columns.hidden";

        public Selection {
            try {
                var unused = tables.map(TableFilter::parse);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("sink.tables: " + e.getMessage(), e);
            }
            var unused = hidden.map(text -> ColumnPatterns.parse(HIDDEN, text));
            var parsed = masked.map(MaskPatterns::parse);
            boolean hasKey = maskKey.filter(key -> key.reveal().length() >= MaskPatterns.SHORTEST_KEY)
                    .isPresent();
            if (parsed.filter(MaskPatterns::hasHash).isPresent() && !hasKey) {
                throw new IllegalArgumentException("sink.mask.key: expected a secret of at least "
                        + MaskPatterns.SHORTEST_KEY + " characters for the mask hash in sink.columns.masked, found "
                        + (maskKey.isPresent() ? "a shorter one" : "none"));
            }
        }

        /** The tables that are sent. */
        TableFilter filter() {
            return tables.map(TableFilter::parse).orElse(TableFilter.ALL);
        }

        /** The columns that are not sent; empty if all are. */
        Optional<ColumnPatterns> columns() {
            return hidden.map(text -> ColumnPatterns.parse(HIDDEN, text));
        }

        /** The columns whose values are replaced. */
        ColumnMasks masks() {
            byte[] key = maskKey.map(Secret::reveal).orElse("").getBytes(StandardCharsets.UTF_8);
            return masked.map(text -> new ColumnMasks(MaskPatterns.parse(text)::of, key))
                    .orElse(ColumnMasks.NONE);
        }
    }

    /** What messages have besides the rows. */
    public record Parts(
            @Key(
                    value = "sink.ddl",
                    byDefault = "first",
                    about =
                            "Where statements that change tables are sent, if the protocol has them: first: to the first partition of"
                                    + " the table's topic; all: to all of its partitions; topic:NAME: to the first partition of a topic"
                                    + " for all; none.")
            String ddl,

            @Key(
                    value = "sink.headers",
                    byDefault = "true",
                    about =
                            "Whether each message has the headers gtid, row (its number in the transaction, from 0) and last (on the"
                                    + " last one).")
            boolean headers,

            @Key(
                    value = "sink.key",
                    byDefault = "protocol",
                    about =
                            "Key of a message: protocol: as the protocol has it; handle: the columns of the table's key also in"
                                    + " canal-json, so that topics can be compacted.")
            MessageKey key,

            @Key(
                    value = "sink.extension",
                    byDefault = "false",
                    about =
                            "Whether messages have fields that the protocol does not define (_tributary), and watermarks where it has"
                                    + " none; consumers must ignore unknown fields.")
            boolean extension,

            @Key(
                    value = "sink.watermark",
                    byDefault = "1s",
                    max = "1h",
                    about =
                            "How often every partition receives a message with the place up to which it is complete, if the protocol"
                                    + " has it; 0s: never.")
            Duration watermark) {
        private static final String TOPIC = "topic:";

        public Parts {
            var unused = treatment(ddl);
        }

        private static DdlTreatment treatment(String text) {
            return switch (text) {
                case "all" -> DdlTreatment.ALL;
                case "first" -> DdlTreatment.FIRST;
                case "none" -> DdlTreatment.NONE;
                default -> {
                    if (!text.matches(TOPIC + "[A-Za-z0-9._-]{1,249}")) {
                        throw new IllegalArgumentException(
                                "sink.ddl: expected all, first, none or topic:NAME, found '" + text + "'");
                    }
                    yield DdlTreatment.to(text.substring(TOPIC.length()));
                }
            };
        }

        /** Where statements are sent. */
        DdlTreatment statements() {
            return treatment(ddl);
        }
    }

    /** The key of a message. */
    public enum MessageKey {
        PROTOCOL,
        HANDLE
    }

    /** How types are written in canal-json. */
    public enum CanalTypes {
        SHORT,
        FULL
    }

    /** Choices of single protocols. */
    public record Forms(
            @Key(
                    value = "sink.debezium.schemas",
                    byDefault = "true",
                    about = "Whether each message of debezium-json has its schema.")
            boolean schemas,

            @Key(
                    value = "sink.debezium.decimals",
                    about =
                            "How DECIMAL and BIGINT UNSIGNED are written in debezium-json: bytes; text; double, which loses digits; not"
                                    + " set: bytes with a schema, otherwise text.")
            Optional<DecimalForm> debeziumDecimals,

            @Key(
                    value = "sink.canal.only-changed",
                    byDefault = "false",
                    about = "Whether `old` of an UPDATE in canal-json has only the changed columns.")
            boolean onlyChanged,

            @Key(
                    value = "sink.canal.types",
                    byDefault = "short",
                    about = "How `mysqlType` of canal-json is written: short: varchar; full: varchar(20).")
            CanalTypes types,

            @Key(
                    value = "sink.avro.decimals",
                    byDefault = "precise",
                    about = "How DECIMAL is written in avro: precise: bytes with the logical type decimal; string.")
            AvroOptions.Decimals decimals,

            @Key(
                    value = "sink.avro.unsigned",
                    byDefault = "string",
                    about =
                            "How BIGINT UNSIGNED is written in avro: string; decimal; long, which is negative above 2^63 - 1.")
            AvroOptions.Unsigned unsigned) {}

    /** The schema registry. */
    public record Registry(
            @Key(
                    value = "sink.registry",
                    about =
                            "Addresses of the schema registry for sink.protocol=avro, such as http://10.0.0.6:8081; the next one is"
                                    + " asked when one does not answer.")
            List<String> addresses,

            @Key(value = "sink.registry.user", about = "User on the registry.")
            Optional<String> user,

            @Key(value = "sink.registry.password", secret = true, about = "Password of sink.registry.user.")
            Optional<Secret> password,

            @Key(
                    value = "sink.registry.tls.ca",
                    about = "PEM file with the certificates that are trusted for https; not set: those of the JVM.")
            Optional<Path> authorities,

            @Key(
                    value = "sink.registry.timeout",
                    byDefault = "10s",
                    min = "100ms",
                    max = "10min",
                    about = "How long the registry may take for an answer.")
            Duration timeout) {
        public Registry {
            addresses = List.copyOf(addresses);
            for (String address : addresses) {
                if (!address.matches("https?://[^\\s@]+")) {
                    throw new IllegalArgumentException("sink.registry: expected addresses such as"
                            + " http://registry:8081, without a user, found '" + address + "'");
                }
            }
        }

        /** How the registry is reached. */
        RegistryAccess access() {
            return new RegistryAccess(
                    addresses.stream().map(URI::create).toList(),
                    user.map(name -> name + ":" + password.map(Secret::reveal).orElse("")),
                    authorities,
                    timeout);
        }
    }

    public SinkMessagesConfig {
        if (protocol == SinkProtocol.AVRO && registry.addresses.isEmpty()) {
            throw new IllegalArgumentException(
                    "sink.registry: expected the address of a schema registry for sink.protocol=avro, found none");
        }
    }

    /**
     * What users choose for the messages.
     *
     * @param name of the sink
     */
    FormatOptions options(String name) {
        return new FormatOptions(
                parts.extension,
                parts.key == MessageKey.HANDLE,
                forms.schemas,
                forms.onlyChanged,
                forms.types == CanalTypes.FULL,
                name);
    }
}
