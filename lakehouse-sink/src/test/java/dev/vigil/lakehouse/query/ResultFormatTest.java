package dev.vigil.lakehouse.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultFormatTest {
    private static final QueryResult RESULT = new QueryResult(
            List.of(
                    new QueryResult.Column("name", "VARCHAR"),
                    new QueryResult.Column("n", "BIGINT"),
                    new QueryResult.Column("amount", "DECIMAL(38,2)"),
                    new QueryResult.Column("at", "TIMESTAMP WITH TIME ZONE"),
                    new QueryResult.Column("more", "STRUCT(x DOUBLE)")),
            List.of(
                    Arrays.asList(
                            "a \"b\", c",
                            5L,
                            new BigDecimal("57.10"),
                            Instant.parse("2026-11-30T06:55:24.250Z"),
                            Map.of("x", 1.5)),
                    Arrays.asList("", null, null, null, Map.of("x", Double.NaN))),
            true,
            1,
            2);

    @Test
    void shouldWriteJsonThatIsAlwaysValid() {
        assertThat(ResultFormat.JSON.write(RESULT)).isEqualTo("""
                [
                {"name":"a \\"b\\", c","n":5,"amount":57.10,"at":"2026-11-30T06:55:24.250Z","more":{"x":1.5}},
                {"name":"","n":null,"amount":null,"at":null,"more":{"x":null}}
                ]
                """);
        assertThat(ResultFormat.JSON.write(new QueryResult(List.of(), List.of(), false, 0, 0)))
                .isEqualTo("[]\n");
    }

    @Test
    void shouldWriteCsvThatTellsNullFromEmpty() {
        assertThat(ResultFormat.CSV.write(RESULT)).isEqualTo("""
                name,n,amount,at,more
                "a ""b"", c",5,57.10,2026-11-30T06:55:24.250Z,"{""x"":1.5}"
                "",,,,"{""x"":null}"
                """);
    }

    @Test
    void shouldWriteATableForAPerson() {
        assertThat(ResultFormat.TABLE.write(RESULT)).isEqualTo("""
                name         n  amount  at                        more
                --------  ----  ------  ------------------------  ----------
                a "b", c     5   57.10  2026-11-30T06:55:24.250Z  {"x":1.5}
                          NULL    NULL  NULL                      {"x":null}
                (2 rows, more cut off)
                """);
    }

    @Test
    void shouldKnowItsNames() {
        assertThat(ResultFormat.parse("csv")).isEqualTo(ResultFormat.CSV);
        assertThatThrownBy(() -> ResultFormat.parse("xml")).hasMessage("expected table, csv or json, found xml");
    }
}
