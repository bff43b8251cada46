package dev.vigil.engine.kafka;

import dev.vigil.engine.EngineConfig;
import dev.vigil.engine.checkpoint.CheckpointTarget;
import dev.vigil.scoring.Policies;
import dev.vigil.scoring.policy.Policy;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Defaults with a few differences. */
final class TestConfigs {
    private final EngineConfig defaults;
    private Duration checkpointInterval;
    private CheckpointTarget checkpointTarget;
    private boolean acceptGap;
    private @Nullable Policy firstPolicy;
    private int threads;
    private long maxLiveEvents;
    private Duration idleAfter;

    private TestConfigs(Path data) {
        this.defaults = EngineConfig.defaults(data);
        this.threads = defaults.threads();
        this.maxLiveEvents = defaults.maxLiveEvents();
        this.idleAfter = defaults.idleAfter();
        this.checkpointInterval = defaults.checkpointInterval();
        this.checkpointTarget = defaults.checkpointTarget();
    }

    static TestConfigs of(Path data) {
        return new TestConfigs(data);
    }

    TestConfigs checkpointEach(Duration interval) {
        checkpointInterval = interval;
        return this;
    }

    TestConfigs checkpointIn(Path directory) {
        return checkpointIn(new CheckpointTarget.Directory(directory));
    }

    TestConfigs checkpointIn(CheckpointTarget target) {
        checkpointTarget = target;
        return this;
    }

    TestConfigs threads(int count) {
        threads = count;
        return this;
    }

    TestConfigs maxLiveEvents(long count) {
        maxLiveEvents = count;
        return this;
    }

    TestConfigs idleAfter(Duration idle) {
        idleAfter = idle;
        return this;
    }

    /** A policy from the log's start on, and a scored topic without schema records. */
    TestConfigs firstPolicy(String text) {
        firstPolicy = Policies.check("first.yaml", text);
        return this;
    }

    TestConfigs acceptGap() {
        acceptGap = true;
        return this;
    }

    EngineConfig build() {
        return new EngineConfig(
                threads,
                defaults.maxPollRecords(),
                maxLiveEvents,
                defaults.blockCacheBytes(),
                defaults.writeBufferBytes(),
                checkpointInterval,
                defaults.checkpointRetain(),
                checkpointTarget,
                idleAfter,
                firstPolicy,
                firstPolicy == null,
                acceptGap);
    }
}
