package dev.vigil.embedded;

import java.nio.file.Path;
import java.util.Properties;

/**
 * The server properties of a broker that shares a small machine with everything else: one node in both KRaft roles,
 * loopback only, few threads, small buffers.
 */
final class BrokerSettings {

    static final int NODE_ID = 1;
    static final String CONTROLLER_LISTENER = "CONTROLLER";
    private static final String BROKER_LISTENER = "BROKER";
    private static final String MIB_4 = "4194304";

    private BrokerSettings() {}

    static Properties of(Path logDirectory, int brokerPort, int controllerPort) {
        Properties properties = new Properties();
        identity(properties, brokerPort, controllerPort);
        properties.setProperty("log.dirs", logDirectory.toAbsolutePath().toString());
        topics(properties);
        internalTopics(properties);
        bounds(properties);
        return properties;
    }

    private static void identity(Properties properties, int brokerPort, int controllerPort) {
        properties.setProperty("process.roles", "broker,controller");
        properties.setProperty("node.id", Integer.toString(NODE_ID));
        // A static quorum: the voter's address is read from here on every start, so the port may change.
        properties.setProperty("controller.quorum.voters", NODE_ID + "@127.0.0.1:" + controllerPort);
        properties.setProperty("controller.listener.names", CONTROLLER_LISTENER);
        properties.setProperty("inter.broker.listener.name", BROKER_LISTENER);
        properties.setProperty(
                "listener.security.protocol.map", BROKER_LISTENER + ":PLAINTEXT," + CONTROLLER_LISTENER + ":PLAINTEXT");
        properties.setProperty(
                "listeners",
                BROKER_LISTENER + "://127.0.0.1:" + brokerPort + "," + CONTROLLER_LISTENER + "://127.0.0.1:"
                        + controllerPort);
        properties.setProperty("advertised.listeners", BROKER_LISTENER + "://127.0.0.1:" + brokerPort);
    }

    private static void topics(Properties properties) {
        properties.setProperty("auto.create.topics.enable", "false");
        properties.setProperty("default.replication.factor", "1");
        properties.setProperty("min.insync.replicas", "1");
        properties.setProperty("num.partitions", "1");
        properties.setProperty("log.segment.bytes", "67108864");
        // Index files are mapped at this size for every open segment; the default is 10 MiB, twice per partition.
        properties.setProperty("log.index.size.max.bytes", "1048576");
        properties.setProperty("metadata.log.segment.bytes", "16777216");
        properties.setProperty("metadata.max.retention.bytes", "67108864");
    }

    private static void internalTopics(Properties properties) {
        properties.setProperty("offsets.topic.num.partitions", "4");
        properties.setProperty("offsets.topic.replication.factor", "1");
        properties.setProperty("offsets.topic.segment.bytes", MIB_4);
        properties.setProperty("transaction.state.log.num.partitions", "4");
        properties.setProperty("transaction.state.log.replication.factor", "1");
        properties.setProperty("transaction.state.log.min.isr", "1");
        properties.setProperty("transaction.state.log.segment.bytes", MIB_4);
        properties.setProperty("share.coordinator.state.topic.num.partitions", "1");
        properties.setProperty("share.coordinator.state.topic.replication.factor", "1");
        properties.setProperty("share.coordinator.state.topic.min.isr", "1");
        properties.setProperty("group.initial.rebalance.delay.ms", "0");
    }

    private static void bounds(Properties properties) {
        properties.setProperty("num.network.threads", "2");
        properties.setProperty("num.io.threads", "2");
        properties.setProperty("num.replica.fetchers", "1");
        properties.setProperty("num.recovery.threads.per.data.dir", "1");
        properties.setProperty("background.threads", "2");
        properties.setProperty("group.coordinator.threads", "1");
        properties.setProperty("group.coordinator.background.threads", "1");
        properties.setProperty("share.coordinator.threads", "1");
        properties.setProperty("queued.max.requests", "64");
        properties.setProperty("log.cleaner.threads", "1");
        properties.setProperty("log.cleaner.dedupe.buffer.size", MIB_4);
        properties.setProperty("log.cleaner.io.buffer.size", "262144");
        properties.setProperty("offsets.load.buffer.size", "1048576");
        properties.setProperty("transaction.state.log.load.buffer.size", "1048576");
        properties.setProperty("share.coordinator.load.buffer.size", "1048576");
    }
}
