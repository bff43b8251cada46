package dev.vigil.backtest.html;

import java.util.List;

/** Builds HTML. Whatever comes from data goes through {@link #text} or {@link #row}, which escape it. */
final class Html {
    private final StringBuilder out = new StringBuilder();

    /** Markup of ours. */
    Html raw(String markup) {
        out.append(markup);
        return this;
    }

    Html text(String text) {
        out.append(escape(text));
        return this;
    }

    Html element(String tag, String text) {
        return raw("<" + tag + ">").text(text).raw("</" + tag + ">\n");
    }

    /** Begins a table; {@link #row} follows, then {@link #endTable}. A head that starts with {@code #} heads numbers. */
    Html table(String... heads) {
        raw("<div class=\"wide\"><table>\n<thead><tr>");
        for (String head : heads) {
            boolean number = head.startsWith("#");
            raw(number ? "<th class=\"n\" scope=\"col\">" : "<th scope=\"col\">")
                    .text(number ? head.substring(1) : head)
                    .raw("</th>");
        }
        return raw("</tr></thead>\n<tbody>\n");
    }

    /** @param numbers how many of the last cells are numbers */
    Html row(int numbers, List<String> cells) {
        raw("<tr>");
        for (int i = 0; i < cells.size(); i++) {
            raw(i >= cells.size() - numbers ? "<td class=\"n\">" : "<td>")
                    .text(cells.get(i))
                    .raw("</td>");
        }
        return raw("</tr>\n");
    }

    Html endTable() {
        return raw("</tbody></table></div>\n");
    }

    static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(c < ' ' && c != '\n' && c != '\t' ? '\uFFFD' : c);
            }
        }
        return escaped.toString();
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
