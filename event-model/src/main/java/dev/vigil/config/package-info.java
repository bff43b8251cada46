/**
 * YAML with its places: documents whose every complaint names file, line, column and field, what was expected and what
 * was found. Used for policies and for the services' configuration.
 */
@NullMarked
package dev.vigil.config;

import org.jspecify.annotations.NullMarked;
