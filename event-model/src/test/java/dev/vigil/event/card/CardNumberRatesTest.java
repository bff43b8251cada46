package dev.vigil.event.card;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How often what is no card number is taken for one, and whether card numbers are found however they are written. */
final class CardNumberRatesTest {
    private static final int ROUNDS = 20_000;
    /** 2020 to 2033. */
    private static final long FROM_MS = 1_577_836_800_000L;

    private static final long SPAN_MS = 410_000_000_000L;

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);

    @Test
    void shouldTakeNothingOfUsualShapeForACardNumber() {
        Map<String, Supplier<String>> shapes = new LinkedHashMap<>();
        shapes.put("milliseconds", () -> Long.toString(timeMs()));
        shapes.put("microseconds", () -> Long.toString(timeMs() * 1_000 + random.nextInt(1_000)));
        shapes.put("nanoseconds", () -> Long.toString(timeMs() * 1_000_000 + random.nextInt(1_000_000)));
        shapes.put("ticks", () -> Long.toString((timeMs() + 62_135_596_800_000L) * 10_000 + random.nextInt(10_000)));
        shapes.put("date and time", () -> date("yyyyMMddHHmmss"));
        shapes.put("date and time with milliseconds", () -> date("yyyyMMddHHmmssSSS"));
        shapes.put("date and time in words", () -> date("yyyyMMdd_HHmmss"));
        shapes.put("date and number", () -> date("yyyyMMdd-HHmmss-") + digits(3));
        shapes.put("date in a path", () -> date("yyyy/MM/dd/HHmmss"));
        shapes.put("RFC 3339", () -> date("yyyy-MM-dd'T'HH:mm:ss.SSS") + digits(3) + "Z");
        shapes.put("UUID", () -> uuid().toString());
        shapes.put("UUID without dashes", () -> uuid().toString().replace("-", ""));
        shapes.put("hash", () -> new BigInteger(256, random).setBit(255).toString(16));
        shapes.put("phone", () -> "+49 1" + digits(2) + " " + digits(7));
        shapes.put("phone in dots", () -> "+1." + digits(3) + "." + digits(3) + "." + digits(4));
        shapes.put("phone in one", () -> "+" + (1 + random.nextInt(9)) + digits(11));
        shapes.put("IBAN of Germany", () -> iban("DE", digits(18)));
        shapes.put("IBAN of Germany, in fours", () -> inFours(iban("DE", digits(18))));
        shapes.put("IBAN of Great Britain, in fours", () -> inFours(iban("GB", "NWBK" + digits(14))));
        shapes.put("IBAN of France, in fours", () -> inFours(iban("FR", digits(10) + "M" + digits(12))));
        shapes.put("IBAN of the Netherlands", () -> iban("NL", "ABNA" + digits(10)));
        shapes.put("article", this::article);
        shapes.put("device", () -> "35" + digits(13));
        shapes.put("SIM", () -> "8949" + digits(15));
        shapes.put("place", () -> random.nextDouble() * 180 + " " + random.nextDouble() * 90);
        shapes.put("amount", () -> random.nextInt(100_000_000) + "." + digits(2));
        shapes.put("address", () -> octet() + "." + octet() + "." + octet() + "." + octet());
        shapes.put("order", () -> "ORD-" + date("yyyy") + "-" + digits(6));
        shapes.put("list", () -> digits(4) + ", " + digits(4) + ", " + digits(4) + ", " + digits(4));
        shapes.forEach((shape, texts) -> assertThat(rate(texts))
                .as("seed %d: %s, as in %s", seed, shape, texts.get())
                .isZero());
    }

    /** Numbers by chance: what looks like a card number in them is one, to anybody. The bounds are twice what is expected. */
    @Test
    void shouldTakeFewOfAllNumbersForCardNumbers() {
        Map<Integer, Double> mostByDigits = Map.of(
                13, 0.025, 14, 0.015, 15, 0.015, 16, 0.08, 17, 0.04, 18, 0.06, 19, 0.06, 20, 0.012, 22, 0.004, 25,
                0.004);
        mostByDigits.forEach((count, most) -> assertThat(rate(() -> digits(count)))
                .as("seed %d: %d digits", seed, count)
                .isLessThan(most));
        assertThat(rate(() -> digits(32))).as("seed %d: 32 digits", seed).isLessThan(0.008);
        assertThat(rate(() -> Long.toString(1L << 62 | random.nextLong() >>> 2)))
                .as("seed %d: random keys of a database", seed)
                .isLessThan(0.07);
    }

    @Test
    void shouldFindEveryNumberHoweverItIsWritten() {
        String[] separators = {
            "", " ", "-", ".", "/", "_", "\t", "\u00a0", "\u2009", "\u3000", "\u200b", "\u2013", "\u00b7", "  ", " - ",
            "\\"
        };
        int[] zeros = {'0', 0x660, 0x6f0, 0x966, 0xff10, 0x1d7ce};
        for (int i = 0; i < ROUNDS; i++) {
            String number = card();
            String grouped = String.join(
                    separators[random.nextInt(separators.length)],
                    number.substring(0, 4),
                    number.substring(4, 8),
                    number.substring(8, 12),
                    number.substring(12));
            int zero = zeros[random.nextInt(zeros.length)];
            StringBuilder written = new StringBuilder(random.nextBoolean() ? "" : "000");
            grouped.chars().forEach(c -> written.appendCodePoint(c >= '0' && c <= '9' ? c - '0' + zero : c));
            written.append(random.nextBoolean() ? "" : "1230");

            assertThat(CardNumbers.isIn(written.toString()))
                    .as("seed %d: %s", seed, written)
                    .isTrue();
            assertThat(CardNumbers.isIn(CardNumbers.masked(written.toString())))
                    .as("seed %d: %s", seed, written)
                    .isFalse();
        }
    }

    private double rate(Supplier<String> texts) {
        int found = 0;
        for (int i = 0; i < ROUNDS; i++) {
            found += CardNumbers.isIn(texts.get()) ? 1 : 0;
        }
        return found / (double) ROUNDS;
    }

    /** Visa or Mastercard, of 16 digits. */
    private String card() {
        String body = (random.nextBoolean() ? "4" : "5" + (1 + random.nextInt(5))) + digits(15);
        body = body.substring(0, 15);
        int sum = 0;
        for (int i = 0; i < 15; i++) {
            int weighted = (body.charAt(i) - '0') * (i % 2 == 0 ? 2 : 1);
            sum += weighted > 9 ? weighted - 9 : weighted;
        }
        return body + (10 - sum % 10) % 10;
    }

    private String digits(int count) {
        StringBuilder digits = new StringBuilder();
        for (int i = 0; i < count; i++) {
            digits.append(random.nextInt(10));
        }
        return digits.toString();
    }

    private long timeMs() {
        return FROM_MS + (long) (random.nextDouble() * SPAN_MS);
    }

    private String date(String pattern) {
        long ms = timeMs();
        return LocalDateTime.ofEpochSecond(ms / 1_000, (int) (ms % 1_000) * 1_000_000, ZoneOffset.UTC)
                .format(DateTimeFormatter.ofPattern(pattern, Locale.ROOT));
    }

    private UUID uuid() {
        return new UUID(random.nextLong(), random.nextLong());
    }

    private int octet() {
        return random.nextInt(256);
    }

    private String article() {
        String body = digits(12);
        int sum = 0;
        for (int i = 0; i < 12; i++) {
            sum += (body.charAt(i) - '0') * (i % 2 == 0 ? 1 : 3);
        }
        return body + (10 - sum % 10) % 10;
    }

    private static String iban(String country, String account) {
        StringBuilder number = new StringBuilder();
        (account + country + "00").chars().forEach(c -> number.append(Character.digit(c, 36)));
        int check = 98
                - new BigInteger(number.toString()).mod(BigInteger.valueOf(97)).intValue();
        return country + String.format(Locale.ROOT, "%02d", check) + account;
    }

    private static String inFours(String text) {
        return text.replaceAll("(.{4})(?!$)", "$1 ");
    }
}
