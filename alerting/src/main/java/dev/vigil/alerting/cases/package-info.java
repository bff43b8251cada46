/**
 * Cases and suppression: which case an alert belongs to, whether anybody is told of it, and what people's actions change. Pure;
 * decides in event time and in the order in which records are taken.
 */
@NullMarked
package dev.vigil.alerting.cases;

import org.jspecify.annotations.NullMarked;
