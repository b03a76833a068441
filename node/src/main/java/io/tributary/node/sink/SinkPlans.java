package io.tributary.node.sink;

import io.tributary.common.gtid.GtidSet;
import io.tributary.sink.ClaimStore;
import io.tributary.sink.LargeMessages;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.message.MessageFormat;
import java.util.HashMap;
import java.util.Map;

/** Makes plans of a sink: the format and the store of large messages are the same for all of them. */
final class SinkPlans {
    private final MessageFormat format;
    private final ClaimStore claims;

    /** @param claims {@link ClaimStore#NONE} if large messages are not stored */
    SinkPlans(MessageFormat format, ClaimStore claims) {
        this.format = format;
        this.claims = claims;
    }

    /** @throws io.tributary.common.error.TributaryException TLS_UNUSABLE if a file cannot be read */
    SinkPlan of(SinkConfig keys) {
        return new SinkPlan(keys.from().name(), target(keys), messages(keys), delivery(keys), limits(keys));
    }

    /** The settings of the Kafka clients. */
    static Map<String, Object> settings(SinkConfig keys) {
        Map<String, Object> settings = new HashMap<>(BrokerSettings.of(keys.kafka()));
        settings.put("compression.type", BrokerSettings.compression(keys.kafka()));
        return settings;
    }

    private static SinkPlan.Target target(SinkConfig keys) {
        SinkTopicsConfig.Special special = keys.topics().special();
        return new SinkPlan.Target(settings(keys), keys.topics().topics(), special.progress(), special.transactions());
    }

    private SinkPlan.Messages messages(SinkConfig keys) {
        SinkMessagesConfig messages = keys.messages();
        return new SinkPlan.Messages(
                format,
                keys.topics().rules(),
                new SinkPlan.Selection(
                        messages.selection().filter()::reads,
                        messages.selection().masks()),
                messages.parts().statements(),
                messages.parts().headers());
    }

    private SinkPlan.Delivery delivery(SinkConfig keys) {
        SinkDeliveryConfig delivery = keys.delivery();
        return new SinkPlan.Delivery(
                delivery.guarantee(),
                new LargeMessages(delivery.large().treatment(), claims),
                delivery.splits(),
                keys.messages().parts().watermark(),
                keys.from().start().map(GtidSet::parse),
                keys.snapshotServer());
    }

    private static SinkPlan.Limits limits(SinkConfig keys) {
        SinkDeliveryConfig delivery = keys.delivery();
        return new SinkPlan.Limits(
                keys.limits().workers(),
                keys.limits().memory().bytes(),
                delivery.commit(),
                (int) delivery.large().bytes().bytes(),
                new SinkPlan.Timeouts(
                        keys.kafka().times().request(),
                        keys.kafka().times().delivery(),
                        delivery.commits().transaction()));
    }
}
