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
}
