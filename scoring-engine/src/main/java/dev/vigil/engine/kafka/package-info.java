/** Tasks that read the log and write what they score. Only here does the engine import Kafka. */
@NullMarked
package dev.vigil.engine.kafka;

import org.jspecify.annotations.NullMarked;
