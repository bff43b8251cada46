package dev.vigil.dashboard.intake;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.vigil.event.card.CardNumbers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Why a body cannot be read, in words of our own: the parser's quote the body, which may hold a card number. */
final class NotReadable {
    private static final Pattern DUPLICATE = Pattern.compile("Duplicate field '(.*)'", Pattern.DOTALL);

    private NotReadable() {}

    static String because(JsonProcessingException e) {
        String message = String.valueOf(e.getOriginalMessage());
        if (e instanceof StreamConstraintsException) {
            return message.contains("nesting depth")
                    ? "expected at most " + StreamReadConstraints.defaults().getMaxNestingDepth()
                            + " lists and objects within each other, found more"
                    : "a name, a number or a text is too long to be read";
        }
        Matcher duplicate = DUPLICATE.matcher(message);
        return duplicate.lookingAt()
                ? "expected each member of an object once, found '"
                        + EventAttributes.shown(CardNumbers.masked(duplicate.group(1))) + "' twice"
                : "not JSON";
    }
}
