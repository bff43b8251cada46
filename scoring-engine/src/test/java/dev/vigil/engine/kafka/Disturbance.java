package dev.vigil.engine.kafka;

import dev.vigil.engine.checkpoint.Checkpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;

/** What the crash suite does to a {@link CrashRig} whose first engine scores alone, under traffic. */
enum Disturbance {
    KILL_IN_WRITE {
        @Override
        void happen(CrashRig rig) throws IOException, InterruptedException {
            rig.anyMoment(1_500);
            restart(rig);
            rig.first().awaitProgress(1);
            for (int kill = 0; kill < 2; kill++) {
                rig.anyMoment(500);
                awaitWrite(rig.first().state(anyPartition(rig)));
                restart(rig);
                rig.first().awaitProgress(1);
            }
        }

        /** Returns as a step is being written: the store's log has just grown. */
        private static void awaitWrite(Path state) {
            String before = Damage.logEnd(state);
            CrashRig.spin("a step is written", () -> !Damage.logEnd(state).equals(before));
        }
    },

    KILL_IN_UPLOAD {
        @Override
        void happen(CrashRig rig) throws IOException, InterruptedException {
            awaitCheckpoint(rig, 0);
            Set<Path> others = unfinished(rig);
            Set<Path> uploading = new HashSet<>();
            while (uploading.isEmpty()) {
                CrashRig.spin("an upload is under way", () -> {
                    others.addAll(complete(rig)); // which may be removed, and are unfinished then
                    uploading.addAll(unfinished(rig));
                    uploading.removeAll(others);
                    return !uploading.isEmpty();
                });
                rig.first().process().kill();
                uploading.retainAll(unfinished(rig)); // it may have been complete before the kill came
                rig.first().start();
            }
        }

        private static Set<Path> complete(CrashRig rig) {
            return folders(rig, Damage::completeCheckpoints);
        }

        private static Set<Path> unfinished(CrashRig rig) {
            return folders(rig, Damage::unfinishedCheckpoints);
        }

        private static Set<Path> folders(CrashRig rig, Function<Path, List<Path>> kind) {
            Set<Path> folders = new HashSet<>();
            for (int partition = 0; partition < Deployment.PARTITIONS; partition++) {
                folders.addAll(kind.apply(rig.checkpoints(partition)));
            }
            return folders;
        }
    },

    KILL_IN_REBALANCE {
        @Override
        void happen(CrashRig rig) throws IOException, InterruptedException {
            rig.second().start();
            CrashRig.spin("the group rebalances", rig::isRebalancing);
            rig.anyMoment(200);
            CrashRig.Instance killed = rig.random().nextBoolean() ? rig.first() : rig.second();
            killed.process().kill();
            killed.start();
            killed.awaitPartitions(1);
        }
    },

    KILL_BROKER {
        @Override
        void happen(CrashRig rig) throws InterruptedException {
            rig.anyMoment(1_000);
            rig.broker().kill();
            rig.anyMoment(3_000);
            rig.broker().restart();
        }
    },

    KILL_BROKER_AND_ENGINE {
        @Override
        void happen(CrashRig rig) throws IOException, InterruptedException {
            rig.broker().kill();
            rig.anyMoment(500);
            rig.first().process().kill();
            rig.broker().restart();
            rig.first().start();
        }
    },

    WAKE_ZOMBIE {
        @Override
        void happen(CrashRig rig) throws IOException, InterruptedException {
            rig.second().start();
            rig.second().awaitPartitions(1);
            rig.anyMoment(1_000);
            rig.first().process().pause();
            // The group gives up on it after its session has timed out.
            rig.second().awaitPartitions(Deployment.PARTITIONS);
            rig.second().awaitProgress(100);
            rig.first().process().resume();
            rig.first().awaitPartitions(1);
            rig.anyMoment(1_000);
        }
    },

    JOIN_AND_LEAVE {
        @Override
        void happen(CrashRig rig) throws IOException, InterruptedException {
            rig.second().start();
            rig.second().awaitPartitions(1);
            rig.anyMoment(1_000);
            rig.first().process().stop();
            rig.second().awaitPartitions(Deployment.PARTITIONS);
            rig.second().awaitProgress(50);
            rig.first().start();
            rig.first().awaitPartitions(1);
        }
    },

    FILL_DISK {
        @Override
        void happen(CrashRig rig) throws IOException, InterruptedException {
            SmallDisk disk = rig.smallDisk().orElseThrow();
            long before = rig.first().logBytes();
            disk.fill();
            try {
                CrashRig.await("first runs out of room", () -> rig.first().said("No space left", before));
                rig.anyMoment(3_000);
                if (rig.random().nextBoolean()) {
                    restart(rig);
                    rig.anyMoment(2_000);
                }
            } finally {
                disk.free();
            }
        }
    },

    DAMAGE_NEWEST_CHECKPOINT_MANIFEST {
        @Override
        void happen(CrashRig rig) throws IOException, InterruptedException {
            loseStateAnd(rig, (partition, newest) -> {
                if (rig.random().nextBoolean()) {
                    Damage.flipBitOfManifest(newest, rig.random());
                } else {
                    Damage.flipBit(
                            Damage.anyFile(newest, file -> file.startsWith("MANIFEST-"), rig.random())
                                    .orElseThrow(),
                            rig.random());
                }
            });
        }
    },

    DAMAGE_CHECKPOINT_TABLE {
        @Override
        void happen(CrashRig rig) throws IOException, InterruptedException {
            loseStateAnd(rig, (partition, newest) -> {
                Damage.flipBit(Damage.anyTable(newest, rig.random()), rig.random());
            });
        }
    },

    LOSE_ALL_CHECKPOINTS {
        @Override
        void happen(CrashRig rig) throws IOException, InterruptedException {
            loseStateAnd(rig, (partition, newest) -> {
                for (Path checkpoint : Damage.completeCheckpoints(rig.checkpoints(partition))) {
                    Files.delete(checkpoint.resolve("CURRENT"));
                }
            });
        }
    },

    DAMAGE_LOCAL_TABLE {
        @Override
        void happen(CrashRig rig) throws IOException, InterruptedException {
            damageState(rig, ".sst");
        }
    },

    DAMAGE_LOCAL_FILE {
        @Override
        void happen(CrashRig rig) throws IOException, InterruptedException {
            damageState(rig, "");
        }
    },

    DELETE_STATE {
        @Override
        void happen(CrashRig rig) throws IOException, InterruptedException {
            rig.anyMoment(1_500);
            rig.first().process().kill();
            Path state = rig.first().state(anyPartition(rig));
            Checkpoints.deleteTree(rig.random().nextBoolean() ? state : state.getParent());
            rig.first().start();
        }
    };

    abstract void happen(CrashRig rig) throws IOException, InterruptedException;

    /** As it stands in the suite's last line. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private interface Loss {
        void happen(int partition, Path newestCheckpoint) throws IOException;
    }

    private static int anyPartition(CrashRig rig) {
        return rig.random().nextInt(Deployment.PARTITIONS);
    }

    private static void restart(CrashRig rig) throws IOException {
        rig.first().process().kill();
        rig.first().start();
    }

    /** The newest that is complete; not one of a state that has no tables yet. */
    private static Path awaitCheckpoint(CrashRig rig, int partition) {
        List<Path> newest = new ArrayList<>();
        CrashRig.await("a checkpoint with tables is complete", () -> {
            newest.clear();
            Damage.completeCheckpoints(rig.checkpoints(partition)).stream()
                    .limit(1)
                    .filter(checkpoint -> !Damage.tables(checkpoint).isEmpty())
                    .forEach(newest::add);
            return !newest.isEmpty();
        });
        return newest.get(0);
    }

    /** The state of a partition is gone, and so is what the newest checkpoint would have given. */
    private static void loseStateAnd(CrashRig rig, Loss loss) throws IOException, InterruptedException {
        int partition = anyPartition(rig);
        awaitCheckpoint(rig, partition);
        rig.anyMoment(1_500);
        rig.first().process().kill();
        loss.happen(partition, awaitCheckpoint(rig, partition));
        Checkpoints.deleteTree(rig.first().state(partition));
        rig.first().start();
    }

    private static void damageState(CrashRig rig, String suffix) throws IOException, InterruptedException {
        int partition = anyPartition(rig);
        awaitCheckpoint(rig, partition); // from then on the state has tables too
        rig.anyMoment(1_500);
        rig.first().process().kill();
        Path state = rig.first().state(partition);
        Path file = Damage.anyFile(state, name -> name.endsWith(suffix), rig.random())
                .orElseThrow();
        Damage.flipBit(file, rig.random());
        rig.first().start();
    }
}
