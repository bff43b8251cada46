package dev.vigil.demo.bank;

/**
 * A merchant that takes cards.
 *
 * @param id such as {@code M00017}
 * @param town the seat; for a shop also where it sells
 * @param online whether it sells over the internet alone, so that its payments have no place
 */
public record Merchant(String id, String name, Category category, Town town, boolean online) {}
