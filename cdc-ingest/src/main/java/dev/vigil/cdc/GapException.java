package dev.vigil.cdc;

import dev.vigil.service.ServiceException;

/** A source cannot give what was written since the stored position, and that is not accepted. The service stops. */
public final class GapException extends ServiceException {
    private static final long serialVersionUID = 1L;

    private final String found;

    /** @param source which one, as a message begins with it */
    public GapException(String source, Gap gap) {
        this(source + ": " + gap.text());
    }

    private GapException(String found) {
        super(text(found, "set cdc.accept-gap: true for one start"));
        this.found = found;
    }

    /** The message, in one line, for somebody who accepts the gap in another way. */
    public String message(String howToAccept) {
        return text(found, howToAccept);
    }

    private static String text(String found, String howToAccept) {
        return found
                + "; changes in between are lost to the stream; to read the tables anew (events already published are"
                + " recognised, references that are gone are taken back) " + howToAccept;
    }
}
