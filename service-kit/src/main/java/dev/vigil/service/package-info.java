/**
 * What the services share at run time: their life cycle, clocks and latency figures. Every service may import it; the
 * scoring core may not.
 */
@NullMarked
package dev.vigil.service;

import org.jspecify.annotations.NullMarked;
