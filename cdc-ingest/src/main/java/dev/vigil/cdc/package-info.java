/**
 * What a row change means: which table gives events, which reference rows, which labels, and how a row becomes a record
 * of the log. Pure: no database, no Kafka, no clock, no thread. The edge packages beside it may import it; it imports
 * none of them.
 */
@NullMarked
package dev.vigil.cdc;

import org.jspecify.annotations.NullMarked;
