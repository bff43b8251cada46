package dev.vigil.demo.bank;

import dev.vigil.demo.chance.Dice;
import dev.vigil.demo.chance.Weights;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/** All merchants and their terminals, findable by town and by what they sell. */
final class Market {
    private static final int SHOPS_PER_TOWN_MIN = 3;
    private static final double ONLINE_SHARE = 0.3;
    /** Half the side of the square that a town's shops stand in: no two are more than 5 km apart. */
    private static final double TOWN_RADIUS_KM = 1.7;

    private static final double KM_PER_DEGREE = 111.2;

    private final List<Merchant> merchants = new ArrayList<>();
    private final List<List<Terminal>> shopTerminalsByTown = new ArrayList<>();
    private final List<Terminal> paymentPages = new ArrayList<>();
    private final Map<Category, List<Terminal>> pagesByCategory = new EnumMap<>(Category.class);
    private final List<Terminal> resalePages = new ArrayList<>();

    private Market() {}

    static Market open(List<Town> towns, int merchantCount, Dice dice) {
        Market market = new Market();
        towns.forEach(town -> market.shopTerminalsByTown.add(new ArrayList<>()));
        Weights byPopulation = Weights.of(towns, Town::weight);
        List<Category> inShops =
                Stream.of(Category.values()).filter(Category::isSoldInShops).toList();
        List<Category> online =
                Stream.of(Category.values()).filter(Category::isSoldOnline).toList();
        Weights byShareInShops = Weights.of(inShops, Category::share);
        Weights byShareOnline = Weights.of(online, Category::share);

        for (Town town : towns) {
            for (int i = 0; i < SHOPS_PER_TOWN_MIN; i++) {
                market.openShop(town, inShops.get(byShareInShops.pick(dice)), dice);
            }
        }
        for (Category category : online) {
            market.openPaymentPage(towns.get(byPopulation.pick(dice)), category);
        }
        while (market.merchants.size() < merchantCount) {
            Town town = towns.get(byPopulation.pick(dice));
            if (dice.chance(ONLINE_SHARE)) {
                market.openPaymentPage(town, online.get(byShareOnline.pick(dice)));
            } else {
                market.openShop(town, inShops.get(byShareInShops.pick(dice)), dice);
            }
        }
        return market;
    }

    List<Merchant> merchants() {
        return List.copyOf(merchants);
    }

    /** At least {@value #SHOPS_PER_TOWN_MIN}. */
    List<Terminal> shopTerminals(Town town) {
        return shopTerminalsByTown.get(town.index());
    }

    List<Terminal> paymentPages() {
        return paymentPages;
    }

    /** At least one for every category that is sold online. */
    List<Terminal> paymentPages(Category category) {
        return pagesByCategory.getOrDefault(category, List.of());
    }

    /** Payment pages that sell what thieves like. */
    List<Terminal> resalePages() {
        return resalePages;
    }

    private void openShop(Town town, Category category, Dice dice) {
        Merchant merchant = merchant(town, category, false);
        int tills = dice.between(1, 3);
        Place shop = near(town.centre(), dice);
        for (int till = 1; till <= tills; till++) {
            shopTerminalsByTown.get(town.index()).add(new Terminal(terminalId(merchant, till), merchant, shop));
        }
    }

    private void openPaymentPage(Town seat, Category category) {
        Merchant merchant = merchant(seat, category, true);
        Terminal page = new Terminal(terminalId(merchant, 1), merchant, null);
        paymentPages.add(page);
        pagesByCategory.computeIfAbsent(category, c -> new ArrayList<>()).add(page);
        if (category.isEasilyResold()) {
            resalePages.add(page);
        }
    }

    private Merchant merchant(Town town, Category category, boolean online) {
        String id = String.format(Locale.ROOT, "M%05d", merchants.size() + 1);
        String kind = category.code().replace('_', ' ');
        String name = online ? "Web " + kind + " " + id : town.name() + " " + kind + " " + id;
        Merchant merchant = new Merchant(id, name, category, town, online);
        merchants.add(merchant);
        return merchant;
    }

    private static String terminalId(Merchant merchant, int till) {
        return "T" + merchant.id().substring(1) + "-" + till;
    }

    private static Place near(Place centre, Dice dice) {
        double north = dice.between(-TOWN_RADIUS_KM, TOWN_RADIUS_KM) / KM_PER_DEGREE;
        double shrink = StrictMath.cos(StrictMath.toRadians(centre.latitude()));
        double east = dice.between(-TOWN_RADIUS_KM, TOWN_RADIUS_KM) / (KM_PER_DEGREE * shrink);
        return new Place(round(centre.latitude() + north), round(centre.longitude() + east));
    }

    /** To five decimals, about a metre, as terminals report it. */
    private static double round(double degrees) {
        return Math.rint(degrees * 100_000) / 100_000;
    }
}
