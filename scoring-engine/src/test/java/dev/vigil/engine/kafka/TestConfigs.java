package dev.vigil.engine.kafka;

import dev.vigil.engine.EngineConfig;
import dev.vigil.engine.checkpoint.CheckpointTarget;
import java.nio.file.Path;
import java.time.Duration;

/** Defaults with a few differences. */
final class TestConfigs {
    private final EngineConfig defaults;
    private Duration checkpointInterval;
    private CheckpointTarget checkpointTarget;
    private boolean acceptGap;
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
                defaults.firstPolicy(),
                defaults.schemaRecords(),
                acceptGap);
    }
}
