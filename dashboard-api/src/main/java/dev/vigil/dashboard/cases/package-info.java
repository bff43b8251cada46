/** What the API does with cases: looks at them, wherever alerting runs, and sends what people do about them. Knows no HTTP and no Kafka. */
@NullMarked
package dev.vigil.dashboard.cases;

import org.jspecify.annotations.NullMarked;
