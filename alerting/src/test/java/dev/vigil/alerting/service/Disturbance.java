package dev.vigil.alerting.service;

import java.util.Locale;

/** What happens to two instances of alerting under traffic. */
enum Disturbance {
    /** kill -9 of the one that delivers, at any moment; it starts again on its disk. */
    KILL,
    /** kill -9 while no message has gone out yet of alerts that are in the topic. */
    KILL_BEFORE_SEND,
    /** kill -9 when the receiver has a message and has not answered it yet. */
    KILL_BETWEEN_SEND_AND_RECORD,
    /** kill -9; the other takes over, the killed one comes back and stands by. */
    TAKE_OVER,
    /** A clean stop hands over to the other, which is killed at once. */
    KILL_IN_HAND_OVER,
    /** The one that delivers is paused until the other has taken over, and wakes then. */
    ZOMBIE,
    /** kill -9, and the disk is gone. */
    LOSE_DISK,
    /** kill -9 while the receiver refuses everything; then it takes all. */
    KILL_WHILE_RECEIVER_IS_DOWN,
    /** kill -9 of the broker, and it starts again. */
    RESTART_BROKER;

    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
