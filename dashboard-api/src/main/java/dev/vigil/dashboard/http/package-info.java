/** The HTTP edge: one port for page, REST, live events, intake and operations. Only here are Javalin and Jetty imported. */
@NullMarked
package dev.vigil.dashboard.http;

import org.jspecify.annotations.NullMarked;
