package dev.vigil.backtest.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.backtest.Label;
import dev.vigil.config.ConfigException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvMappingTest {
    private static final String WHOLE = """
            type: transaction
            source: /cards
            delimiter: ";"
            id: ID
            account: CARD
            time: {column: AT, format: epoch_ms}
            fields: {amount: AMOUNT, opened_at: {column: OPENED, format: epoch_s}}
            label: {column: OUTCOME, fraud: [chargeback, stolen], legitimate: ok}
            """;

    @Test
    void shouldReadEveryKey() {
        CsvMapping mapping = CsvMapping.read("m.yaml", WHOLE);
        assertThat(mapping.type()).isEqualTo("transaction");
        assertThat(mapping.source()).isEqualTo("/cards");
        assertThat(mapping.delimiter()).isEqualTo(';');
        assertThat(mapping.id().name()).isEqualTo("ID");
        assertThat(mapping.account().name()).isEqualTo("CARD");
        assertThat(mapping.time().column().name()).isEqualTo("AT");
        assertThat(mapping.fields().keySet()).containsExactly("amount", "opened_at");
        assertThat(mapping.label()).isNotNull();
        assertThat(mapping.label().read("Stolen")).isEqualTo(Label.FRAUD);
        assertThat(mapping.label().read("ok")).isEqualTo(Label.LEGITIMATE);
        assertThat(mapping.label().read(" ")).isEqualTo(Label.UNKNOWN);
        assertThat(mapping.label().read("maybe")).isNull();
    }

    @Test
    void shouldReadTheTypeFromAColumn() {
        CsvMapping mapping = CsvMapping.read("m.yaml", "{type: {column: KIND}, id: I, account: A, time: T}");
        assertThat(mapping.type()).isNull();
        assertThat(mapping.typeColumn()).isNotNull();
        assertThat(mapping.typeColumn().name()).isEqualTo("KIND");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{type: t, id: I, account: A}|m.yaml:1:1: missing 'time'",
                "{type: t, id: I, acount: A, time: T}|acount: unknown key 'acount', did you mean 'account'?",
                "{type: t, id: I, account: A, time: T, delimiter: ab}|delimiter: expected one character",
                "{type: t, id: I, account: A, time: T, fields: {x: F}, label: F}|fields.x: column 'F' holds the label"
            })
    void shouldRefuseWhatCannotBeMeant(String text, String message) {
        assertThatThrownBy(() -> CsvMapping.read("m.yaml", text))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseAFieldThatThePolicyDoesNotDeclareWithTheNearest() {
        CsvMapping mapping = CsvMapping.read("m.yaml", "{type: t, id: I, account: A, time: T, fields: {amuont: X}}");
        assertThatThrownBy(() -> mapping.checkFields(Set.of("amount", "terminal")))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "m.yaml:1:56: fields.amuont: the policy declares no field 'amuont', did you mean 'amount'?");
    }
}
