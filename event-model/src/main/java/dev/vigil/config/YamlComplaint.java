package dev.vigil.config;

import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/**
 * What the YAML library complains of, as a sentence for whoever wrote the document: it says what its scanner and parser met,
 * half of a sentence each, in the words of YAML's grammar.
 */
final class YamlComplaint {
    private record Sentence(Pattern problem, Function<MatchResult, String> words) {
        static Sentence of(String problem, String words) {
            return of(problem, match -> words);
        }

        static Sentence of(String problem, Function<MatchResult, String> words) {
            return new Sentence(Pattern.compile(problem, Pattern.DOTALL), words);
        }
    }

    private static final List<Sentence> SENTENCES = List.of(
            Sentence.of("but found another document", "expected one document, found the start of another"),
            Sentence.of(
                    "expected '<document start>', but found '(.*)'",
                    match -> "expected the end of the document, or one indentation for all of its keys, found "
                            + token(match.group(1))),
            Sentence.of("found incompatible YAML document.*", "expected YAML 1.1 or 1.2, found another version"),
            Sentence.of(
                    "mapping values are not allowed here",
                    "expected no ':' here: a text with ': ' in it stands in quotes, and a key on a line of its own, as far in"
                            + " as the others"),
            Sentence.of(
                    "(?:block )?sequence entries are not allowed here",
                    "expected no '- ' here: the entries of a list stand on lines of their own"),
            Sentence.of(
                    "mapping keys are not allowed here",
                    "expected no '? ' here: a text that begins with it stands in quotes"),
            Sentence.of("could not find expected ':'", "expected 'key: value', found no ':'"),
            Sentence.of("found unexpected end of stream", "expected the quote that ends the text, found none"),
            Sentence.of(
                    "found unknown escape character (.*)\\(\\d+\\)",
                    match -> "expected an escape that YAML knows, found \\" + match.group(1)
                            + "; a backslash within double quotes is written twice"),
            Sentence.of(
                    "expected escape sequence of (\\d) hexadecimal numbers, but found: .*",
                    match -> "expected " + match.group(1) + " hexadecimal digits of an escaped character"),
            Sentence.of("found character '\\\\t.*", "expected spaces, found a tab"),
            Sentence.of(
                    "found character '(.*?)' that cannot start any token.*",
                    match -> "expected a text in quotes, since it begins with " + match.group(1)),
            Sentence.of(
                    "expected (',' or '[\\]}]'), but got (.*)",
                    match -> "expected " + match.group(1) + ", found " + token(match.group(2))),
            Sentence.of(
                    "expected <block end>, but found '<scalar>'",
                    "expected the end of the value, found more text; a text with quotes in it stands in quotes of the other"
                            + " kind"),
            Sentence.of(
                    "expected <block end>, but found '(.*)'",
                    match ->
                            "expected the next key or entry, as far in as those above, found " + token(match.group(1))),
            Sentence.of(
                    "expected the node content, but found '(.*)'",
                    match -> "expected a value, found " + token(match.group(1))),
            Sentence.of(
                    "found undefined alias (.*)",
                    match -> "expected a value, found the alias *" + match.group(1)
                            + " of nothing above; a text that begins with * stands in quotes"),
            Sentence.of(
                    "found undefined tag handle (.*)",
                    match -> "expected a value, found the tag " + match.group(1)
                            + " of no meaning here; a text that begins with ! stands in quotes"),
            Sentence.of(
                    "unexpected character found.*",
                    "expected a name after & or *; a text that begins with one of these stands in quotes"),
            Sentence.of(
                    "expected chomping or indentation indicators, but found (.*)\\(\\d+\\)",
                    match -> "expected the end of the line after | or >, found " + match.group(1)));

    private YamlComplaint() {}

    /** Place and sentence. */
    static ConfigException of(String fileName, MarkedYAMLException e) {
        String problem = String.valueOf(e.getProblem()).strip();
        for (Sentence sentence : SENTENCES) {
            Matcher matcher = sentence.problem().matcher(problem);
            if (matcher.matches()) {
                return new ConfigException(DocumentText.place(fileName, mark(e, problem))
                        + sentence.words().apply(matcher.toMatchResult()));
            }
        }
        return new ConfigException(DocumentText.place(fileName, e.getProblemMark()) + "this is no YAML: "
                + problem.replaceAll("\\s+", " "));
    }

    /** Where what has no end begins: the library noticed later, at the next line or at the end. */
    private static Mark mark(MarkedYAMLException e, String problem) {
        boolean begunBefore =
                problem.equals("could not find expected ':'") || problem.contains("unexpected end of stream");
        Mark begun = e.getContextMark();
        return begunBefore && begun != null ? begun : e.getProblemMark();
    }

    /** The grammar's name for what was met. */
    private static String token(String name) {
        return switch (name) {
            case "<stream end>" -> "the end of the file";
            case "<block end>" -> "the end of a list or mapping";
            case "<block mapping start>", "?" -> "a key";
            case "<block sequence start>", "-" -> "an entry of a list";
            case "<scalar>" -> "a text";
            case "<document start>", "<document end>" -> "the start of another document";
            case "<alias>" -> "an alias";
            case "<anchor>" -> "an anchor";
            case "<tag>" -> "a tag";
            case "<directive>" -> "a directive";
            default -> "'" + name + "'";
        };
    }
}
