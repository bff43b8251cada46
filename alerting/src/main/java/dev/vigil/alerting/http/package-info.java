/**
 * Webhooks on OkHttp: signing, time-outs, and the guard that keeps requests out of private networks. Only the alerting
 * service imports it.
 */
@NullMarked
package dev.vigil.alerting.http;

import org.jspecify.annotations.NullMarked;
