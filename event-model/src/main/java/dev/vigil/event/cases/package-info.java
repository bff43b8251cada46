/**
 * Cases as analysts see them: alerts of one group, and what people did about them. Alerting keeps them; the API, the page and
 * the command line show them and send actions.
 */
@NullMarked
package dev.vigil.event.cases;

import org.jspecify.annotations.NullMarked;
