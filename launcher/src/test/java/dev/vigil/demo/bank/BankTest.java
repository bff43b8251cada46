package dev.vigil.demo.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BankTest {
    private static final Instant NOW = Instant.parse("2026-11-30T09:17:00Z");

    @Test
    void shouldBeTheSameBankForTheSameShape() {
        Bank one = Bank.of(new BankShape(5, 500));
        Bank two = Bank.of(new BankShape(5, 500));
        assertThat(one.accounts()).isEqualTo(two.accounts());
        assertThat(one.merchants()).isEqualTo(two.merchants());
        assertThat(one.history(NOW, 2)).isEqualTo(two.history(NOW, 2));
        assertThat(Bank.of(new BankShape(6, 500)).accounts()).isNotEqualTo(one.accounts());
    }

    @Test
    void shouldHaveAShopInEveryTownAndSellEverythingOnlineThatIsSoldThere() {
        Bank bank = Bank.of(new BankShape(5, 100));
        assertThat(bank.towns())
                .allSatisfy(
                        town -> assertThat(bank.market().shopTerminals(town)).isNotEmpty());
        for (Category category : Category.values()) {
            assertThat(bank.market().paymentPages(category).isEmpty()).isEqualTo(!category.isSoldOnline());
        }
    }

    @Test
    void shouldEndTheHistoryTwoHoursBeforeTheStreamInOrderOfTimeAndId() {
        List<Payment> history = Bank.of(new BankShape(5, 500)).history(NOW, 3);
        assertThat(history).hasSize(1_500);
        for (int i = 0; i < history.size(); i++) {
            assertThat(history.get(i).id()).isEqualTo(i + 1);
            assertThat(history.get(i).fraud()).isFalse();
        }
        assertThat(history).isSortedAccordingTo((a, b) -> Long.compare(a.eventTimeMs(), b.eventTimeMs()));
        assertThat(history.get(1_499).eventTimeMs())
                .isLessThanOrEqualTo(NOW.minusSeconds(7_200).toEpochMilli());
    }

    @Test
    void shouldSizeTheBankByTheRateWithinBounds() {
        assertThat(BankShape.forRate(1, 1).accounts()).isEqualTo(1_000);
        assertThat(BankShape.forRate(1, 50).accounts()).isEqualTo(5_000);
        assertThat(BankShape.forRate(1, 5_000).accounts()).isEqualTo(10_000);
        assertThatThrownBy(() -> new BankShape(1, 99)).hasMessage("accounts: expected 100 to 1000000, found 99");
    }

    @Test
    void shouldMeasureGreatCircles() {
        assertThat(new Place(0, 179).kilometresTo(new Place(0, -179))).isBetween(222.3, 222.5);
    }
}
