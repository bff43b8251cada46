package dev.vigil.cdc;

/**
 * What lies between a stored position and where the source can be read on, and is lost to the stream.
 *
 * @param expected what should have been there, and from which position on
 * @param found what is there
 */
public record Gap(String expected, String found) {

    /** One line for a log. */
    public String text() {
        return "gap: expected " + expected + ", " + found;
    }

    /** One line for whoever has to decide, with what to do. */
    public String refusal() {
        return text()
                + "; changes in between are lost to the stream; to read the tables anew set cdc.accept-gap: true for"
                + " one start (events already published are recognised, references that are gone are taken back)";
    }
}
