package dev.vigil.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.config.ConfigException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a fraud team reads when a policy says something that cannot be meant: place, field, expected, found, nearest. */
class PolicyMessagesTest {
    static final String GOOD = """
            policy: card-fraud
            version: 3
            currency: EUR
            time: {out_of_orderness: 30s, allowed_lateness: 1h, late: side_output}
            events:
              transaction:
                account: account_id
                fields: {amount: money, merchant: string, lat: double, lon: double, seen: timestamp}
              login: {fields: {success: bool}}
            reference:
              account: {fields: {home_country: string, credit_limit: money}}
            features:
              tx_count_1h: {count: transaction, over: 1h}
              tx_sum_24h: {sum: transaction.amount, over: 24h, where: "amount > 3.0"}
              fails: {rate: login.success, over: 10m}
              third: {nth_last: transaction.amount, n: 3, over: 1h}
              speed: {geo_speed: transaction}
              ratio: {expr: "amount / max(tx_sum_24h, 1.0)"}
            lists: {deny: {field: merchant, values: [a, b]}}
            rules:
              - {id: velocity, when: "tx_count_1h > 5 && ratio > 3.0", score: 35, reason: "many"}
              - {id: limit, when: "amount > account.credit_limit", score: 10}
            decisions: [{decline: 80}, {review: 50}]
            alerts: {on: [decline, review], group_by: account, cooldown: 15m}
            summaries:
              daily: {every: day, zone: Europe/Berlin, values: {n: {count: transaction}, sum: {sum: transaction.amount}}}
              quarter: {every: 15m, values: {last: {nth_last: transaction.merchant, n: 2, where: "amount > 3.0"}}}
            """;

    private static void assertMessage(String good, String bad, String message) {
        assertThat(GOOD).contains(good);
        assertThatThrownBy(() -> Policies.check("p.yaml", GOOD.replace(good, bad)))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }

    @Test
    void shouldAcceptTheGoodOne() {
        assertThat(Policies.check("p.yaml", GOOD).features()).hasSize(6);
    }

    @Test
    void shouldNameUnknownKeysAndTheNearest() {
        assertMessage("currency:", "curency:", "p.yaml:3:1: curency: unknown key 'curency', did you mean 'currency'?");
        assertMessage(
                "time: {out_of_orderness",
                "time: {out_of_order",
                "p.yaml:4:8: time.out_of_order: unknown key 'out_of_order', did you mean 'out_of_orderness'?");
        assertMessage(
                "count: transaction, over",
                "count: transaction, ovr",
                "p.yaml:13:37: features.tx_count_1h.ovr: unknown key 'ovr', did you mean 'over'?");
        assertMessage(
                "{count: transaction",
                "{cuont: transaction",
                "p.yaml:13:17: features.tx_count_1h.cuont: unknown key 'cuont', did you mean 'count'?");
        assertMessage(
                "reason: \"many\"",
                "reasn: \"many\"",
                "p.yaml:21:71: rules[0].reasn: unknown key 'reasn', did you mean 'reason'?");
        assertMessage(
                "group_by",
                "zzz",
                "p.yaml:24:33: alerts.zzz: unknown key 'zzz', expected one of on, group_by, cooldown");
        assertMessage(
                "review: 50",
                "revue: 50",
                "p.yaml:23:29: decisions[1].revue: unknown key 'revue', did you mean 'review'?");
    }

    @Test
    void shouldNameUnknownEventTypesFieldsAndTypes() {
        assertMessage(
                "count: transaction",
                "count: transacton",
                "p.yaml:13:24: features.tx_count_1h.count: unknown event type 'transacton', did you mean 'transaction'?");
        assertMessage(
                "transaction.amount, over: 24h",
                "transaction.amuont, over: 24h",
                "p.yaml:14:21: features.tx_sum_24h.sum: unknown field of transaction 'amuont', did you mean 'amount'?");
        assertMessage(
                "amount: money",
                "amount: mony",
                "p.yaml:8:22: events.transaction.fields.amount: expected string, long, double, bool, timestamp or money, found 'mony'");
        assertMessage(
                "field: merchant",
                "field: marchant",
                "p.yaml:19:23: lists.deny.field: unknown string field 'marchant', did you mean 'merchant'?");
        assertMessage(
                "group_by: account",
                "group_by: acount",
                "p.yaml:24:43: alerts.group_by: unknown string field 'acount', did you mean 'account'?");
    }

    @Test
    void shouldNameUnknownNamesInExpressions() {
        assertMessage(
                "ratio > 3.0",
                "rato > 3.0",
                "p.yaml:21:26: rules[0].when: column 20 of \"tx_count_1h > 5 && rato > 3.0\": unknown name 'rato', did you mean 'ratio'?");
        assertMessage(
                "account.credit_limit\"",
                "account.credit_limt\"",
                "p.yaml:22:23: rules[1].when: column 10 of \"amount > account.credit_limt\": unknown name 'account.credit_limt', did you mean 'account.credit_limit'?");
        assertMessage(
                "where: \"amount > 3.0\"",
                "where: \"amonut > 3.0\"",
                "p.yaml:14:59: features.tx_sum_24h.where: column 1 of \"amonut > 3.0\": unknown name 'amonut', did you mean 'amount'?");
        assertMessage(
                "amount / max(",
                "amount / mx(",
                "p.yaml:18:17: features.ratio.expr: column 12 of \"amount / mx(tx_sum_24h, 1.0)\": unknown function 'mx', did you mean 'max'?");
    }

    @Test
    void shouldExplainExpressionsThatDoNotFit() {
        assertMessage(
                "ratio > 3.0",
                "ratio * 3 > 9.0",
                "p.yaml:21:26: rules[0].when: column 26 of \"tx_count_1h > 5 && ratio * 3 > 9.0\": expected (int, int) or (double,"
                        + " double) for '*', found (double, int);"
                        + " write a whole number beside a double with a point, as in 2.0");
        assertMessage(
                "\"amount > account.credit_limit\"",
                "amount + 1.0",
                "p.yaml:22:23: rules[1].when: expected a condition, found an expression of type double: amount + 1.0");
        assertMessage(
                "where: \"amount > 3.0\"",
                "where: \"tx_count_1h > 3\"",
                "p.yaml:14:59: features.tx_sum_24h.where: column 1 of \"tx_count_1h > 3\": unknown name 'tx_count_1h'");
        assertMessage(
                "\"amount > account.credit_limit\"",
                "merchant.matches('a+')",
                "p.yaml:22:23: rules[1].when: not supported here: the function 'matches', in \"merchant.matches('a+')\"");
    }

    @Test
    void shouldExplainDurationsAndNumbers() {
        assertMessage(
                "over: 1h}\n  tx_sum",
                "over: 1hour}\n  tx_sum",
                "p.yaml:13:43: features.tx_count_1h.over: expected a duration such as 30s, 15m, 24h or 7d, found 1hour");
        assertMessage(
                "over: 1h}\n  tx_sum",
                "over: 181d}\n  tx_sum",
                "p.yaml:13:43: features.tx_count_1h.over: expected 1s to 180d, found 181d");
        assertMessage(
                "allowed_lateness: 1h",
                "allowed_lateness: 999999999999d",
                "p.yaml:4:49: time.allowed_lateness: expected a duration of at most 36500d, found 999999999999d");
        assertMessage("version: 3", "version: three", "p.yaml:2:10: version: expected an integer, found 'three'");
        assertMessage(
                "version: 3",
                "version: 010",
                "p.yaml:2:10: version: expected an integer without leading zeros, found '010'");
        assertMessage(
                "score: 35",
                "score: -1",
                "p.yaml:21:67: rules[0].score: expected an integer from 0 to 1000, found '-1'");
        assertMessage(", n: 3", "", "p.yaml:16:10: features.third: missing 'n'");
        assertMessage(
                "late: side_output",
                "late: sometimes",
                "p.yaml:4:59: time.late: expected drop, side_output or update, found 'sometimes'");
        assertMessage(
                "late: side_output",
                "late: side_output, correct_within: 1d",
                "p.yaml:4:88: time.correct_within: only 'late: update' takes 'correct_within'");
    }

    @Test
    void shouldExplainWindowsOfSummaries() {
        assertMessage(
                ", zone: Europe/Berlin",
                "",
                "p.yaml:26:10: summaries.daily: missing 'zone': a day begins at another time in each, as in"
                        + " 'zone: Europe/Berlin', or UTC");
        assertMessage(
                "zone: Europe/Berlin",
                "zone: Europe/Berln",
                "p.yaml:26:29: summaries.daily.zone: expected a time zone such as Europe/Berlin or UTC, found"
                        + " 'Europe/Berln'");
        assertMessage(
                "every: 15m",
                "every: 15m, zone: UTC",
                "p.yaml:27:31: summaries.quarter.zone: only 'every: day', 'week' or 'month' take a zone");
        assertMessage(
                "every: 15m", "every: 30s", "p.yaml:27:20: summaries.quarter.every: expected 1m to 31d, found 30s");
        assertMessage(
                "every: day, zone: Europe/Berlin",
                "every: Day, zone: Europe/Berlin",
                "p.yaml:26:18: summaries.daily.every: expected day, week, month, or a duration such as 15m or 1h,"
                        + " found 'Day', did you mean 'day'?");
        assertMessage(
                "every: day, zone: Europe/Berlin",
                "every: weeek, zone: Europe/Berlin",
                "p.yaml:26:18: summaries.daily.every: expected day, week, month, or a duration such as 15m or 1h,"
                        + " found 'weeek', did you mean 'week'?");
        assertMessage(
                "every: 15m",
                "every: fortnight",
                "p.yaml:27:20: summaries.quarter.every: expected day, week, month, or a duration such as 15m or 1h,"
                        + " found 'fortnight'");
        assertMessage(
                "{n: {count: transaction}",
                "{n: {cuont: transaction}",
                "p.yaml:26:57: summaries.daily.values.n.cuont: unknown key 'cuont', did you mean 'count'?");
        assertMessage(
                "where: \"amount > 3.0\"}}}",
                "where: \"amuont > 3.0\"}}}",
                "p.yaml:27:86: summaries.quarter.values.last.where: column 1 of \"amuont > 3.0\": unknown name 'amuont',"
                        + " did you mean 'amount'?");
    }

    @Test
    void shouldExplainAggregatesThatDoNotFit() {
        assertMessage(
                "{sum: transaction.amount",
                "{sum: transaction.merchant",
                "p.yaml:14:21: features.tx_sum_24h.sum: expected a field of type money or long, whose sums are exact, found string");
        assertMessage(
                "{count: transaction",
                "{count: transaction, sum: transaction.amount",
                "p.yaml:13:16: features.tx_count_1h: expected one aggregate, found 'count' and 'sum'");
        assertMessage(
                "{count: transaction, over: 1h}",
                "{over: 1h}",
                "p.yaml:13:16: features.tx_count_1h: expected an aggregate such as count, sum or avg, or 'expr'");
        assertMessage(
                "{count: transaction, over: 1h}",
                "{count: transaction, over: 1h, per: terminal}",
                "p.yaml:13:52: features.tx_count_1h.per: features per 'terminal' are not supported by this version, which keeps"
                        + " state per account; leave 'per' out");
        assertMessage(
                "lat: double, ",
                "",
                "p.yaml:17:22: features.speed.geo_speed: geo_speed needs a field 'lat: double' in transaction");
        assertMessage(", over: 1h}\n  tx_sum", "}\n  tx_sum", "p.yaml:13:16: features.tx_count_1h: missing 'over'");
    }

    @Test
    void shouldExplainNamesThatClash() {
        assertMessage(
                "  ratio:",
                "  amount:",
                "p.yaml:18:3: features.amount: the name 'amount' is taken by a field or a list");
        assertMessage("{deny: ", "{merchant: ", "p.yaml:19:9: lists.merchant: the name 'merchant' is taken by a field");
        assertMessage(
                "  third:",
                "  FAILS:",
                "p.yaml:16:3: features.FAILS: the name differs from 'fails' in upper and lower case alone");
        assertMessage(
                "{success: bool}",
                "{amount: long}",
                "p.yaml:9:28: events.login.fields.amount: expected money, as in event type transaction, found 'long'");
        assertMessage("id: limit", "id: velocity", "p.yaml:22:10: rules[1].id: a rule 'velocity' stands above already");
        assertMessage("  fails:", "  tx_sum_24h:", "p.yaml:15:3: features.tx_sum_24h: the key stands here twice");
        assertMessage(
                "lon: double",
                "account: string",
                "p.yaml:8:60: events.transaction.fields.account: the name 'account' has a meaning of its own");
    }

    /** Two tables' columns, and a feature and a field in one expression, could not be told apart. */
    @Test
    void shouldRefuseNamesThatDifferFromAnotherKindsInCaseAlone() {
        assertMessage(
                "  ratio:",
                "  Amount:",
                "p.yaml:18:3: features.Amount: the name differs from 'amount' in upper and lower case alone");
        assertMessage(
                "  third:",
                "  Deny:",
                "p.yaml:19:9: lists.deny: the name differs from 'Deny' in upper and lower case alone");
        assertMessage(
                "{success: bool}",
                "{Amount: money}",
                "p.yaml:9:20: events.login.fields.Amount: the name differs from 'amount' in upper and lower case alone");
    }

    @Test
    void shouldRefuseNamesThatNoExpressionCanRead() {
        for (String word : List.of("in", "as", "function", "package", "while")) {
            assertMessage(
                    "  third:",
                    "  " + word + ":",
                    "p.yaml:16:3: features." + word + ": the name '" + word + "' is a word of the expression language");
        }
        assertMessage("{deny: ", "{if: ", "p.yaml:19:9: lists.if: the name 'if' is a word of the expression language");
        assertMessage(
                "  account: {fields: {home",
                "  import: {fields: {home",
                "p.yaml:11:3: reference.import: the name 'import' is a word of the expression language");
        assertMessage("  third:", "  TRUE:", "p.yaml:16:3: features.TRUE: the name 'TRUE' has a meaning of its own");
        // Data has the names that it has, and a window reads any.
        String field = GOOD.replace("merchant: string", "merchant: string, package: string")
                .replace("{count: transaction, over: 1h}", "{distinct: transaction.package, over: 1h}");
        assertThat(Policies.check("p.yaml", field).features()).hasSize(6);
        assertThatThrownBy(() ->
                        Policies.check("p.yaml", field.replace("amount > account.credit", "package > account.credit")))
                .hasMessage(
                        "p.yaml:22:23: rules[1].when: column 1 of \"package > account.credit_limit\": expected a name, found"
                                + " 'package', a word of the expression language");
    }

    @Test
    void shouldSayWhichNamesAreAccepted() {
        assertMessage(
                "policy: card-fraud",
                "policy: card fraud",
                "p.yaml:1:9: policy: expected a name of at most 64 letters, digits, - and _ that begins with a letter, found"
                        + " 'card fraud'");
        assertMessage(
                "  login:",
                "  log.in:",
                "p.yaml:9:3: events.log.in: expected an event type of letters, digits, - and _ that begins with a letter,"
                        + " found 'log.in'");
        assertMessage(
                "  third:",
                "  third-last:",
                "p.yaml:16:3: features.third-last: expected a name of letters, digits and _ that begins with a letter, found"
                        + " 'third-last'");
        assertMessage(
                "{deny: ",
                "{Deny: ",
                "p.yaml:19:9: lists.Deny: expected a name of lower-case letters, digits and _ that begins with a letter, found"
                        + " 'Deny'");
        assertThat(Policies.check(
                                "p.yaml",
                                GOOD.replace("policy: card-fraud", "policy: Card_fraud-2")
                                        .replace("third", "Third_2"))
                        .name())
                .isEqualTo("Card_fraud-2");
    }

    @Test
    void shouldRefuseIdsThatAreNone() {
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("\"\"", "");
        shown.put("\"a\\nb\"", "a\\nb");
        shown.put("\"a,b\"", "a,b");
        shown.put("a b", "a b");
        shown.put("-a", "-a");
        shown.forEach((id, found) -> assertMessage(
                "id: limit",
                "id: " + id,
                "p.yaml:22:10: rules[1].id: expected an id of letters, digits, - and _ that begins with a letter or digit,"
                        + " found '" + found + "'"));
        for (String id : List.of("4711", "R-1_b", "x")) {
            assertThat(Policies.check("p.yaml", GOOD.replace("id: limit", "id: " + id))
                            .rules())
                    .extracting("id")
                    .contains(id);
        }
    }

    @Test
    void shouldSayThatAValueIsMissing() {
        assertMessage(
                "third: {nth_last: transaction.amount, n: 3, over: 1h}",
                "third: ",
                "p.yaml:16:9: features.third: expected a value, found nothing");
        assertMessage("version: 3", "version:", "p.yaml:2:9: version: expected a value, found nothing");
        assertMessage(
                "when: \"amount > account.credit_limit\"",
                "when: ",
                "p.yaml:22:22: rules[1].when: expected a value, found nothing");
        assertMessage(
                "\"amount > account.credit_limit\"",
                "\" \"",
                "p.yaml:22:23: rules[1].when: expected an expression, found nothing");
    }

    @Test
    void shouldSayInPlainWordsWhatIsWrongWithAnExpression() {
        Map<String, String> expected = new LinkedHashMap<>();
        expected.put("99999999999999999999 > 1", "1|expected an integer of 64 bits, found 99999999999999999999");
        expected.put("amount >", "9|expected a value, found the end");
        expected.put("amount > > 1", "10|expected a value, found '>'");
        expected.put("amount 1", "8|expected an operator or the end, found '1'");
        expected.put("ratio = 1.0", "7|expected a value or an operator, found '=', did you mean '=='?");
        expected.put("true and false", "6|expected an operator or the end, found 'and', did you mean '&&'?");
        expected.put("(amount > 1.0", "14|expected ')', found the end");
        expected.put("merchant == 'x", "13|expected a text that ends with its quote, found 'x");
        expected.put("merchant in ['a'", "17|expected ']' or ',', found the end");
        expected.put("amount > 1.0 ? true", "20|expected an operator or ':', found the end");
        expected.put("amount.", "8|expected a value or a name after '.'");
        expected.put("amount # 1", "8|expected a value or an operator, found '#'");
        expected.put("loop", "1|expected a name, found 'loop', a word of the expression language");
        expected.put("!amount", "1|expected (bool) for '!', found (double)");
        expected.put("merchant == 1", "10|expected two of one type for '==', found (string, int)");
        expected.put("merchant[0] == 'x'", "9|'[]' takes no (string, int)");
        expected.forEach((expression, message) -> assertMessage(
                "\"amount > account.credit_limit\"",
                '"' + expression + '"',
                "p.yaml:22:23: rules[1].when: column " + message.replaceFirst("\\|", " of \"" + expression + "\": ")));
    }

    @Test
    void shouldExplainYamlThatIsNone() {
        assertMessage("version: 3", "version: [3", "p.yaml:3:9: expected ',' or ']', found ':'");
        assertThatThrownBy(() -> Policies.check("p.yaml", ""))
                .hasMessage("p.yaml:1:1: expected a mapping of keys to values");
        assertThatThrownBy(() -> Policies.check("p.yaml", "policy: \u0007"))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("p.yaml:1:9: ")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> Policies.check("p.yaml", "a: &x [1]\nb: *x")).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> Policies.check("p.yaml", "a: ".repeat(3) + "[".repeat(200)))
                .isInstanceOf(ConfigException.class);
    }

    @Test
    void shouldNameWhatLaterVersionsBring() {
        assertThatThrownBy(() -> Policies.check("p.yaml", GOOD + "modle: x\n"))
                .hasMessageEndingWith(
                        "unknown key 'modle', expected one of policy, version, currency, time, events, plain,"
                                + " reference, features, summaries, lists, rules, decisions, alerts");
        assertMessage(
                "alerts:",
                "model: {file: m.txt}\nalerts:",
                "p.yaml:24:8: model: models are not supported by this version; leave 'model' out");
    }

    /** Whatever stands in the file, it is accepted or explained in one line. */
    @Test
    void shouldSurviveDamagedPolicies() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 400; i++) {
            StringBuilder damaged = new StringBuilder(GOOD);
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                int at = random.nextInt(damaged.length());
                switch (random.nextInt(3)) {
                    case 0 -> damaged.deleteCharAt(at);
                    case 1 -> damaged.insert(at, "{}[]:,\"'&*!|>%#-0a .\n\t\u0001\ud800".charAt(random.nextInt(24)));
                    default -> damaged.delete(at, Math.min(damaged.length(), at + random.nextInt(30)));
                }
            }
            try {
                Policies.check("p.yaml", damaged.toString());
            } catch (ConfigException e) {
                assertThat(e.getMessage())
                        .as("seed %d: %s", seed, damaged)
                        .startsWith("p.yaml:")
                        .doesNotContain("\n", "<EOF>", "expecting {", "<block", "For input string");
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + damaged, e);
            }
        }
    }
}
