package dev.vigil.scoring.expression;

import dev.vigil.config.OneLine;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What CEL's parser and checker complain of, as sentences for whoever wrote the expression: they say it in the terms of their
 * grammar, with every token that could have come, and of overloads that no policy can use.
 */
final class ExpressionComplaint {
    private record Sentence(Pattern message, Function<MatchResult, String> words) {
        static Sentence of(String message, Function<MatchResult, String> words) {
            return new Sentence(Pattern.compile(message, Pattern.DOTALL), words);
        }
    }

    private static final String INTEGER = "expected an integer of 64 bits, found ";

    private static final List<Sentence> SENTENCES = List.of(
            Sentence.of("For input string: \"(.*?)\".*", match -> INTEGER + match.group(1)),
            Sentence.of("String value (.*) exceeds range of unsigned long.*", match -> INTEGER + match.group(1)),
            Sentence.of(
                    "reserved identifier: (.*)",
                    match -> "expected a name, found '" + match.group(1) + "', a word of the expression language"),
            Sentence.of(
                    "(?:mismatched|extraneous) input '(.*?)' expecting (.*)",
                    match -> "expected " + wanted(match.group(2)) + ", found " + found(match.group(1))),
            Sentence.of(
                    "missing (.*) at '(.*)'",
                    match -> "expected " + match.group(1) + ", found " + found(match.group(2))),
            Sentence.of(
                    "no viable alternative at input '(.*)'",
                    match -> "expected a value or a name after '" + match.group(1) + "'"),
            Sentence.of("token recognition error at: '(.*)'", match -> unknownToken(match.group(1))),
            Sentence.of(
                    "found no matching overload for '(.*?)' applied to '\\((.*?)\\)'(?: \\(candidates: (.*)\\))?",
                    match -> unfitting(match.group(1), match.group(2), match.group(3))));

    /** What somebody writes who knows another language. */
    private static final Map<String, String> OF_OTHER_LANGUAGES = Map.of(
            "and", "&&", "AND", "&&", "or", "||", "OR", "||", "not", "!", "NOT", "!", "&", "&&", "|", "||", "=", "==");

    private ExpressionComplaint() {}

    static String of(String message) {
        for (Sentence sentence : SENTENCES) {
            Matcher matcher = sentence.message().matcher(message);
            if (matcher.matches()) {
                return sentence.words().apply(matcher.toMatchResult());
            }
        }
        return message;
    }

    /** ANTLR names every token of the set; which set it is shows in the first ones. */
    private static String wanted(String tokens) {
        if (tokens.startsWith("{'[', '{', '('")) {
            return "a value";
        }
        if (tokens.startsWith("<EOF>") || tokens.startsWith("{<EOF>")) {
            return "an operator or the end";
        }
        if (tokens.startsWith("{'=='")) {
            return tokens.contains("':'") ? "an operator or ':'" : "an operator";
        }
        return tokens.replaceAll("[{}]", "").replace(", ','", " or ','");
    }

    private static String found(String token) {
        return token.equals("<EOF>") ? "the end" : "'" + token + "'" + meant(token);
    }

    private static String meant(String token) {
        String ours = OF_OTHER_LANGUAGES.get(token);
        return ours == null ? "" : ", did you mean '" + ours + "'?";
    }

    private static String unknownToken(String text) {
        if (text.startsWith("'") || text.startsWith("\"")) {
            return "expected a text that ends with its quote" + (text.contains("\\") ? " and has CEL's escapes" : "")
                    + ", found " + OneLine.shortened(text);
        }
        String token = OF_OTHER_LANGUAGES.containsKey(text.substring(0, 1)) ? text.substring(0, 1) : text.strip();
        return "expected a value or an operator, found " + found(token);
    }

    /** @param candidates argument lists, each in parentheses; null where CEL names none */
    private static String unfitting(String function, String arguments, @Nullable String candidates) {
        String known = candidates == null
                ? ""
                : Arrays.stream(candidates.split("(?<=\\)),(?=\\()"))
                        .map(ExpressionComplaint::ofPolicies)
                        .filter(list -> !list.matches(".*(uint|bytes|null|list|map).*"))
                        .distinct()
                        .collect(Collectors.joining(" or "));
        String name = "'"
                + function.replace("_[_]", "[]")
                        .replace("_", " ")
                        .replace("@", "")
                        .strip() + "'";
        return known.isEmpty()
                ? name + " takes no (" + ofPolicies(arguments) + ")"
                : "expected " + known + " for " + name + ", found (" + ofPolicies(arguments) + ")";
    }

    private static String ofPolicies(String types) {
        return types.replace("google.protobuf.Timestamp", "timestamp")
                .replace("google.protobuf.Duration", "duration")
                .replace("(%A0, %A0)", "two of one type");
    }
}
