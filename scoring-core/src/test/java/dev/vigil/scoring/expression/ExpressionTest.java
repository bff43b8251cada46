package dev.vigil.scoring.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.config.ConfigException;
import dev.vigil.event.EventTimes;
import dev.vigil.event.FieldType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionTest {
    private static final Map<String, Object> VALUES = new HashMap<>(Map.of(
            "t",
            true,
            "f",
            false,
            "n",
            7L,
            "d",
            2.5,
            "s",
            "abc",
            "money",
            1_234L,
            "time",
            EventTimes.parse("2026-03-01T12:00:00Z"),
            "account.limit",
            100_00L));

    private final ExpressionFixture fixture = new ExpressionFixture()
            .with("t", FieldType.BOOL)
            .with("f", FieldType.BOOL)
            .with("u", FieldType.BOOL)
            .with("n", FieldType.LONG)
            .with("d", FieldType.DOUBLE)
            .with("s", FieldType.STRING)
            .with("money", FieldType.MONEY)
            .with("time", FieldType.TIMESTAMP)
            .with("account.limit", FieldType.MONEY)
            .with("no_number", FieldType.LONG)
            .with("no_real", FieldType.DOUBLE)
            .with("no_text", FieldType.STRING)
            .with("no_time", FieldType.TIMESTAMP);

    private Object evaluate(String text) {
        return fixture.evaluate(text, VALUES);
    }

    /** Kleene's tables; u is unknown. */
    @ParameterizedTest
    @CsvSource({
        "t && t, true",
        "t && f, false",
        "t && u, ",
        "f && t, false",
        "f && f, false",
        "f && u, false",
        "u && t, ",
        "u && f, false",
        "u && u, ",
        "t || t, true",
        "t || f, true",
        "t || u, true",
        "f || t, true",
        "f || f, false",
        "f || u, ",
        "u || t, true",
        "u || f, ",
        "u || u, ",
        "!t, false",
        "!f, true",
        "!u, ",
        "!(u && f), true",
        "u == u, ",
        "u != t, ",
        "u ? t : t, ",
        "t ? u : t, ",
        "t ? f : u, false",
        "f ? u : t, true",
        "(u || t) && !(u && f), true",
        "u || (u && f) || t, true",
        "u && (u || t), ",
        "present(u), false",
        "present(t), true",
        "present(u && f), true",
        "present(u && t), false",
        "!present(u) && t, true",
        "(present(u) || u) && f, false",
        "u || present(u) || !f, true"
    })
    void shouldTreatAbsentAsUnknown(String text, Boolean expected) {
        assertThat(evaluate(text)).isEqualTo(expected);
        assertThat(fixture.compile(text).holds(frame())).isEqualTo(Boolean.TRUE.equals(expected));
    }

    private Frame frame() {
        Frame frame = new Frame(fixture.scope.size());
        frame.setNumber(0, 1);
        frame.setNumber(1, 0);
        return frame;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no_number > 1",
                "no_number + n > 1",
                "-no_number == 1",
                "no_real > 1.0",
                "no_real == no_real",
                "no_text == 'a'",
                "no_text in ['a']",
                "no_text.startsWith('a')",
                "size(no_text) == 0",
                "no_text + s == 'abc'",
                "no_number in [0]",
                "max(no_real, 1.0) > 0.0",
                "abs(no_number) == 0",
                "int(no_real) == 0",
                "double(no_number) == 0.0",
                "no_time < time",
                "time - no_time > duration('0s')",
                "(u ? 1 : 1) == 1"
            })
    void shouldNotKnowWhatDependsOnAnAbsentValue(String text) {
        assertThat(evaluate(text)).isNull();
        assertThat(evaluate("!(" + text + ")")).isNull();
        assertThat(evaluate("present(" + text + ")")).isEqualTo(false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n + 1|8",
                "n - 10|-3",
                "n * 2|14",
                "n / 2|3",
                "-n / 2|-3",
                "n % 4|3",
                "-n % 4|-3",
                "-n|-7",
                "abs(-n)|7",
                "max(n, 8)|8",
                "min(n, 8)|7",
                "size(s)|3",
                "size('\ud83d\ude00')|1",
                "int(d)|2",
                "int(-d)|-2",
                "n|7",
                "t ? n : 0|7"
            })
    void shouldCalculateWithIntegers(String text, long expected) {
        assertThat(evaluate(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "d + 1.0|3.5",
                "d * 2.0|5.0",
                "d / 0.5|5.0",
                "-d|-2.5",
                "abs(-d)|2.5",
                "max(d, 3.0)|3.0",
                "min(d, 3)|2.5",
                "max(n, d)|7.0",
                "money|12.34",
                "money * 2.0|24.68",
                "money / account.limit|0.1234",
                "double(n)|7.0"
            })
    void shouldCalculateWithDoublesAndMoneyInMajorUnits(String text, double expected) {
        assertThat(evaluate(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "9223372036854775807 + n",
                "-9223372036854775807 - n",
                "9223372036854775807 * n",
                "n / 0",
                "n % 0",
                "-9223372036854775808 / -1",
                "int(1e300)",
                "int(9223372036854775808.0)",
                "int(d / 0.0)",
                "1.0 / 0.0",
                "0.0 / 0.0"
            })
    void shouldNotKnowWhatHasNoValue(String text) {
        assertThat(evaluate(text)).isNull();
    }

    @Test
    void shouldLetInfinityTakePartInComparisons() {
        assertThat(evaluate("d / 0.0 > 1000.0")).isEqualTo(true);
        assertThat(evaluate("0.0 / 0.0 == 0.0 / 0.0")).isEqualTo(false);
        assertThat(evaluate("0.0 / 0.0 != 0.0 / 0.0")).isEqualTo(true);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n > 6|true",
                "n > 6.9|true",
                "n >= 7.0|true",
                "n < 7.0|false",
                "d < 3|true",
                "d <= 2|false",
                "9007199254740993 > 9007199254740992.0|true",
                "9007199254740993 <= 9007199254740992.0|false",
                "s == 'abc'|true",
                "s != 'abc'|false",
                "s < 'abd'|true",
                "s.startsWith('ab')|true",
                "s.endsWith('bc')|true",
                "s.contains('x')|false",
                "s in ['abc', 'x']|true",
                "!(s in ['x'])|true",
                "n in [1, 7]|true",
                "f < t|true",
                "t == t|true",
                "money > 12|true",
                "money == 12.34|true"
            })
    void shouldCompare(String text, boolean expected) {
        assertThat(evaluate(text)).isEqualTo(expected);
    }

    @Test
    void shouldCalculateWithTimes() {
        assertThat(evaluate("time - timestamp('2026-03-01T00:00:00Z') == duration('12h')"))
                .isEqualTo(true);
        assertThat(evaluate("time + duration('1d')")).isEqualTo(EventTimes.parse("2026-03-02T12:00:00Z"));
        assertThat(fixture.compile("time + duration('1d')").type()).isEqualTo(FieldType.TIMESTAMP);
        assertThat(evaluate("time - duration('30m') < timestamp('2026-03-01T11:30:00.000001Z')"))
                .isEqualTo(true);
        assertThat(evaluate("time - timestamp('2026-03-01T11:59:59.5Z')")).isEqualTo(500_000L);
    }

    @Test
    void shouldSayWhatItReads() {
        assertThat(fixture.compile("n > 1 && account.limit > money || n < 0").reads())
                .extracting(Scope.Variable::name)
                .containsExactly("n", "account.limit", "money");
    }

    @Test
    void shouldRefuseWhatTheEvaluatorLacks() {
        Map<String, String> reasons = new LinkedHashMap<>();
        reasons.put("s.matches('a')", "not supported here: the function 'matches'");
        reasons.put("[1, 2].exists(x, x > 1)", "unknown function 'exists'");
        reasons.put("{'a': 1}['a'] == 1", "not supported here");
        reasons.put("d in [1.0]", "not supported here: 'in' for anything but texts and integers");
        reasons.put("time.getHours() > 3", "not supported here: the function 'getHours'");
        reasons.put("1u > 0u", "not supported here: a literal of this type");
        reasons.put("n == 1.0", "two of one type for '==', found (int, double)");
        reasons.put("s + 1 == 'x'", "for '+', found (string, int)");
        reasons.forEach((text, reason) -> assertThatThrownBy(() -> fixture.compile(text))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(reason));
    }
}
