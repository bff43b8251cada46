/** The lakehouse as a service: puts topics, tables and threads together. The launcher and tests use it. */
@NullMarked
package dev.vigil.lakehouse.service;

import org.jspecify.annotations.NullMarked;
