package dev.vigil.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.reader.StreamReader;

/** A document before it is composed. What the YAML library refuses without saying where is found here, with its place. */
final class DocumentText {
    static final int MAX_CHARACTERS = 4_000_000;
    private static final int MAX_BYTES = 4 * MAX_CHARACTERS;
    private static final int MAX_DEPTH = 40;

    private DocumentText() {}

    /** @throws ConfigException if the file cannot be read, is too large, or is no UTF-8 */
    static String read(Path file) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw new ConfigException(file + ": no such file");
        } catch (IOException e) {
            throw new ConfigException(file + ": cannot be read: " + FileTrouble.of(e));
        }
        if (bytes.length > MAX_BYTES) {
            throw new ConfigException(file + ": expected at most " + MAX_BYTES + " bytes, found more");
        }
        return decode(file.toString(), bytes);
    }

    private static String decode(String fileName, byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        CharBuffer out = CharBuffer.allocate(bytes.length);
        CoderResult result = decoder.decode(in, out, true);
        String text = out.flip().toString();
        if (result.isError()) {
            throw new ConfigException(place(fileName, text, text.length())
                    + String.format("expected UTF-8, found the byte 0x%02X", bytes[in.position()]));
        }
        return text;
    }

    /**
     * @throws ConfigException at the first character that YAML has no place for, the first alias of a list or mapping, or
     *     where lists and mappings stand too deep within each other
     */
    static void check(String fileName, String text) {
        if (text.codePointCount(0, text.length()) > MAX_CHARACTERS) {
            throw new ConfigException(fileName + ":1:1: expected at most " + MAX_CHARACTERS + " characters, found "
                    + text.codePointCount(0, text.length()));
        }
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            if (!StreamReader.isPrintable(text.codePointAt(i))) {
                throw new ConfigException(place(fileName, text, i)
                        + String.format("expected text, found the character U+%04X", text.codePointAt(i)));
            }
        }
        checkStructure(fileName, text);
    }

    private static void checkStructure(String fileName, String text) {
        LoaderOptions options = new LoaderOptions();
        options.setCodePointLimit(MAX_CHARACTERS);
        Set<String> collections = new HashSet<>();
        int depth = 0;
        for (Event event : new Yaml(options).parse(new StringReader(text))) {
            if (event instanceof CollectionStartEvent start) {
                if (start.getAnchor() != null) {
                    collections.add(start.getAnchor());
                }
                if (++depth > MAX_DEPTH) {
                    throw new ConfigException(place(fileName, event.getStartMark()) + "expected at most " + MAX_DEPTH
                            + " lists and mappings within each other, found more");
                }
            } else if (event instanceof CollectionEndEvent) {
                depth--;
            } else if (event instanceof AliasEvent alias && collections.contains(alias.getAnchor())) {
                throw new ConfigException(place(fileName, event.getStartMark())
                        + "expected a list or mapping written out, found the alias *"
                        + OneLine.shortened(alias.getAnchor()));
            }
        }
    }

    /** @throws ConfigException at the first character that is too many */
    static void requireAtMost(String fileName, String text, int maxBytes) {
        int bytes = 0;
        int firstTooMany = -1;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int character = text.codePointAt(i);
            bytes += character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
            if (bytes > maxBytes && firstTooMany < 0) {
                firstTooMany = i;
            }
        }
        if (firstTooMany >= 0) {
            throw new ConfigException(place(fileName, text, firstTooMany) + "expected a text of at most " + maxBytes
                    + " bytes, found " + bytes);
        }
    }

    static String place(String fileName, Mark mark) {
        return fileName + ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1) + ": ";
    }

    /** Lines and columns as YAML counts them, in whole characters. */
    private static String place(String fileName, String text, int index) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < index; i++) {
            char c = text.charAt(i);
            boolean isBreak = c == '\n'
                    || c == '\u0085'
                    || c == '\u2028'
                    || c == '\u2029'
                    || c == '\r' && !(i + 1 < text.length() && text.charAt(i + 1) == '\n');
            if (isBreak) {
                line++;
                lineStart = i + 1;
            }
        }
        return fileName + ":" + line + ":" + (text.codePointCount(lineStart, index) + 1) + ": ";
    }
}
