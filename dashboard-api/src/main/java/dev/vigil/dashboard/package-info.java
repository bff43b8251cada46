/**
 * The dashboard service: one port for the page, REST, live events and the HTTP intake. This package puts the parts
 * together; what they do is in {@code live}, {@code intake}, {@code history} and {@code status}, which are pure, and in the
 * edges {@code http} and {@code kafka}. The launcher imports it; nothing else does.
 */
@NullMarked
package dev.vigil.dashboard;

import org.jspecify.annotations.NullMarked;
