package dev.vigil.alerting.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.alerting.TestAlerts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Field case D09: alerts of an account one after the other, whatever fails; with a real broker and real sockets. */
final class OrderIT extends EndpointsRig {
    private static final int ALERTS = 120;
    private static final int ACCOUNTS = 4;

    private final Map<String, AtomicInteger> attempts = new ConcurrentHashMap<>();

    private static TestAlerts alert(long n) {
        return TestAlerts.at(n).of("account-" + n % ACCOUNTS);
    }

    private static TestAlerts[] alerts(long from, long to) {
        return LongStream.range(from, to).mapToObj(OrderIT::alert).toArray(TestAlerts[]::new);
    }

    private List<String> acceptedOf(int account) {
        Set<String> own = ids(n -> n % ACCOUNTS == account);
        return receiver.accepted().stream()
                .map(CapturingReceiver.Message::id)
                .filter(own::contains)
                .toList();
    }

    private static Set<String> ids(LongPredicate which) {
        Set<String> ids = new HashSet<>();
        LongStream.range(0, ALERTS).filter(which).forEach(n -> ids.add(alert(n).id()));
        return ids;
    }

    private static List<String> inOrder(int account) {
        List<String> ids = new ArrayList<>();
        for (long n = account; n < ALERTS; n += ACCOUNTS) {
            ids.add(alert(n).id());
        }
        return ids;
    }

    @Test
    void shouldDeliverAlertsOfAnAccountInOrderThoughEveryThirdFailsAtFirst() throws Exception {
        Alerting alerting = start();
        alerting.endpoints().create(hook("desk").put("order", "account"), null);
        Set<String> failing = ids(n -> n % 3 == 0);
        receiver.answerWith(id -> failing.contains(id)
                        && attempts.computeIfAbsent(id, key -> new AtomicInteger())
                                        .incrementAndGet()
                                <= 2
                ? 503
                : 204);
        topic.put(alerts(0, ALERTS));
        eventually(() -> alerting.status().delivered() == ALERTS);

        for (int account = 0; account < ACCOUNTS; account++) {
            assertThat(acceptedOf(account)).isEqualTo(inOrder(account));
        }
        assertThat(alerting.status().failedAttempts()).isEqualTo(2L * failing.size());
        assertThat(alerting.status().pending()).isZero();
        assertThat(alerting.endpoints().show("desk").order()).isEqualTo("account");
    }

    @Test
    void shouldHoldOneAccountAloneAndGoOnInOrderAfterARestart() throws Exception {
        Alerting alerting = start();
        alerting.endpoints().create(hook("desk").put("order", "account"), null);
        receiver.answerWith(id -> id.equals(alert(0).id()) ? 503 : 204);
        topic.put(alerts(0, ALERTS));
        int others = ALERTS - ALERTS / ACCOUNTS;
        eventually(() -> alerting.status().delivered() == others);
        assertThat(acceptedOf(0)).isEmpty();
        assertThat(receiver.messages().stream().map(CapturingReceiver.Message::id))
                .as("none of the account is tried before the first is over")
                .doesNotContainAnyElementsOf(inOrder(0).subList(1, ALERTS / ACCOUNTS));
        assertThat(alerting.status().pending()).isEqualTo(ALERTS / ACCOUNTS);
        alerting.close();

        Alerting again = start();
        assertThat(again.status().pending()).isEqualTo(ALERTS / ACCOUNTS);
        receiver.answer(204);
        eventually(() -> again.status().delivered() == ALERTS);
        assertThat(acceptedOf(0)).isEqualTo(inOrder(0));
        for (int account = 1; account < ACCOUNTS; account++) {
            assertThat(acceptedOf(account)).isEqualTo(inOrder(account));
        }
    }

    @Test
    void shouldGiveUpAllThatWaitsWhenTheEndpointIsDeleted() throws Exception {
        Alerting alerting = start();
        alerting.endpoints().create(hook("desk").put("order", "account"), null);
        receiver.answer(503);
        topic.put(alerts(0, ALERTS));
        eventually(() -> alerting.status().alerts() == ALERTS);
        alerting.endpoints().delete("desk");
        eventually(
                () -> alerting.status().givenUp() == ALERTS && alerting.status().pending() == 0);
    }
}
