package dev.vigil.demo.bank;

import dev.vigil.demo.chance.Dice;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Plants one case of fraud after the other, each scenario equally often. */
final class Plots {
    /** Devices that the bank knows as a thief's tool; every eighth thief uses one. */
    static final List<String> NOTORIOUS_DEVICES = List.of("X-EMULATOR-1", "X-EMULATOR-2", "X-EMULATOR-3");

    private static final int VICTIM_TRIES_MAX = 400;
    private static final int SKIMMED_CARDS_MAX = 6;
    private static final double FAR_KM = 700;
    private static final int FAR_TOWNS = 6;

    private final Bank bank;
    private final Market market;
    private final Itinerary itinerary;
    private final Habits habits;
    private final BlockedCards blocked;
    private final LoginIds loginIds;
    private final Dice dice;
    private final List<Scenario> upNext = new ArrayList<>(List.of(Scenario.values()));
    private long incidents;

    Plots(Bank bank, BlockedCards blocked, LoginIds loginIds, Dice dice) {
        this.bank = bank;
        this.market = bank.market();
        this.itinerary = bank.itinerary();
        this.habits = new Habits(bank);
        this.blocked = blocked;
        this.loginIds = loginIds;
        this.dice = dice;
    }

    /** How many cases there are so far. */
    long incidents() {
        return incidents;
    }

    /** Plans a case from now on; none if nearly all cards are blocked already. */
    void plant(long nowMs, Consumer<Action> plan) {
        Scenario scenario = upNext.remove(0);
        if (upNext.isEmpty()) {
            List<Scenario> all = new ArrayList<>(List.of(Scenario.values()));
            while (!all.isEmpty()) {
                upNext.add(all.remove(dice.below(all.size())));
            }
        }
        victim(scenario, nowMs).ifPresent(victim -> {
            Plot plot = new Plot(thiefsDevice());
            switch (scenario) {
                case SUDDEN_HIGH_AMOUNT -> suddenHighAmount(victim, nowMs, plot);
                case CARD_TESTING -> cardTesting(victim, nowMs, plot);
                case ACCOUNT_TAKEOVER -> accountTakeover(victim, nowMs, plot);
                case IMPOSSIBLE_TRAVEL -> impossibleTravel(victim, nowMs, plot);
                case COMPROMISED_TERMINAL -> compromisedTerminal(victim, nowMs, plot);
            }
            plot.carryOut(scenario, ++incidents, plan);
        });
    }

    private void suddenHighAmount(Account victim, long nowMs, Plot plot) {
        long timeMs = nowMs;
        for (int i = dice.between(1, 2); i > 0; i--) {
            plot.theft(victim, dice.pick(market.resalePages()), 10, 25, timeMs);
            timeMs += dice.between(4_000, 15_000);
        }
        blocked.block(victim, timeMs);
    }

    private void cardTesting(Account victim, long nowMs, Plot plot) {
        List<Terminal> pages = new ArrayList<>(market.paymentPages());
        long timeMs = nowMs;
        for (int i = Math.min(dice.between(12, 20), pages.size()); i > 0; i--) {
            plot.theft(victim, pages.remove(dice.below(pages.size())), dice.between(50, 200), timeMs);
            timeMs += dice.between(600, 2_500);
        }
        timeMs += dice.between(15_000, 40_000);
        plot.theft(victim, dice.pick(market.resalePages()), 4, 8, timeMs);
        blocked.block(victim, timeMs);
    }

    private void accountTakeover(Account victim, long nowMs, Plot plot) {
        long timeMs = nowMs;
        String ip = "203.0.113." + dice.between(1, 254);
        for (int i = dice.between(4, 7); i >= 0; i--) {
            plot.login(victim, ip, i == 0, timeMs);
            timeMs += dice.between(1_000, 4_000);
        }
        for (int i = dice.between(2, 4); i > 0; i--) {
            timeMs += dice.between(3_000, 10_000);
            plot.theft(victim, dice.pick(market.resalePages()), 4, 10, timeMs);
        }
        blocked.block(victim, timeMs);
    }

    private void impossibleTravel(Account victim, long nowMs, Plot plot) {
        Terminal here = itinerary.terminalAt(victim, nowMs).orElseThrow();
        Town hereTown = here.merchant().town();
        List<Town> far = bank.towns().stream()
                .filter(town -> kilometres(hereTown, town) >= FAR_KM)
                .sorted((a, b) -> Double.compare(kilometres(hereTown, a), kilometres(hereTown, b)))
                .limit(FAR_TOWNS)
                .toList();
        Town there = dice.pick(far);
        Terminal shop = dice.pick(market.shopTerminals(there));
        plot.honest(victim, here, nowMs);
        long timeMs = nowMs;
        for (int i = dice.between(1, 3); i > 0; i--) {
            timeMs += dice.between(5_000, 20_000);
            plot.theft(victim, shop, 1.5, 4, timeMs);
        }
        blocked.blockAfterTravel(victim, timeMs, kilometres(hereTown, there));
    }

    private void compromisedTerminal(Account first, long nowMs, Plot plot) {
        Terminal terminal = itinerary.terminalAt(first, nowMs).orElseThrow();
        List<Account> customers = bank.accounts().stream()
                .filter(account -> !blocked.isBlocked(account, nowMs) && isAt(terminal, account, nowMs))
                .limit(SKIMMED_CARDS_MAX)
                .toList();
        for (Account customer : customers) {
            long skimmedMs = nowMs + dice.between(0, 8_000);
            plot.honest(customer, terminal, skimmedMs);
            long timeMs = skimmedMs;
            for (int i = dice.between(1, 2); i > 0; i--) {
                timeMs += dice.between(15_000, 60_000);
                plot.theft(customer, dice.pick(market.resalePages()), 5, 10, timeMs);
            }
            blocked.block(customer, timeMs);
        }
    }

    /** Someone whose cards work and, where the scenario begins in a shop, who is in one. */
    private Optional<Account> victim(Scenario scenario, long nowMs) {
        boolean inShop = scenario == Scenario.IMPOSSIBLE_TRAVEL || scenario == Scenario.COMPROMISED_TERMINAL;
        for (int tries = 0; tries < VICTIM_TRIES_MAX; tries++) {
            Account account = dice.pick(bank.accounts());
            if (!blocked.isBlocked(account, nowMs)
                    && (!inShop || itinerary.terminalAt(account, nowMs).isPresent())) {
                return Optional.of(account);
            }
        }
        return Optional.empty();
    }

    private boolean isAt(Terminal terminal, Account account, long nowMs) {
        return itinerary.terminalAt(account, nowMs).filter(terminal::equals).isPresent();
    }

    private String thiefsDevice() {
        return dice.chance(1.0 / 8)
                ? dice.pick(NOTORIOUS_DEVICES)
                : "X-" + Integer.toHexString(dice.between(0x1000_0000, 0x7fff_ffff));
    }

    private static double kilometres(Town a, Town b) {
        return a.centre().kilometresTo(b.centre());
    }

    /** One case being planned: everything that is added belongs to it and is delivered as it happens. */
    private final class Plot {
        private final String device;
        private final List<Action> drafts = new ArrayList<>();

        Plot(String device) {
            this.device = device;
        }

        /** The drafts become actions of one incident. */
        void carryOut(Scenario scenario, long number, Consumer<Action> plan) {
            Incident incident = new Incident(scenario, number, drafts.size());
            for (Action draft : drafts) {
                plan.accept(draft.deliveredAs(new Delivery(draft.delivery().dueMs(), Timeliness.ON_TIME, incident)));
            }
        }

        /** A payment of a random multiple of what the holder typically spends. */
        void theft(Account victim, Terminal terminal, double timesMin, double timesMax, long timeMs) {
            theft(victim, terminal, Math.round(victim.typicalSpendMinor() * dice.between(timesMin, timesMax)), timeMs);
        }

        void theft(Account victim, Terminal terminal, long amountMinor, long timeMs) {
            drafts.add(new Payment(
                    0,
                    victim.id(),
                    victim.cards().get(0),
                    terminal,
                    amountMinor,
                    terminal.place() == null ? device : null,
                    timeMs,
                    true,
                    Delivery.onTime(timeMs)));
        }

        void honest(Account account, Terminal terminal, long timeMs) {
            drafts.add(
                    habits.payment(account, account.cards().get(0), terminal, timeMs, Delivery.onTime(timeMs), dice));
        }

        void login(Account victim, String ip, boolean success, long timeMs) {
            drafts.add(new Login(loginIds.next(), victim.id(), device, ip, success, timeMs, Delivery.onTime(timeMs)));
        }
    }
}
