package dev.vigil.dashboard.deadletter;

import org.jspecify.annotations.Nullable;

/** A header of a record; the value is not to be changed. */
public record LetterHeader(String name, byte @Nullable [] value) {}
