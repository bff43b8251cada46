package dev.vigil.cdc;

import dev.vigil.event.EventEnvelope;

/** Where records of row changes go, in the order of the calls. */
public interface ChangeOutput {

    /** @throws InterruptedException if capture is being stopped: then nothing of the batch counts */
    void publish(EventEnvelope event) throws InterruptedException;

    /** @throws InterruptedException as {@link #publish} */
    void deadLetter(MappedRow.Refused refused) throws InterruptedException;
}
