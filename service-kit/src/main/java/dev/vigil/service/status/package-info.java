/**
 * What each service tells of itself. The same records feed the page, the REST API, the demo's report and, as JSON, other
 * processes. Values only; no behaviour, no technology.
 */
@NullMarked
package dev.vigil.service.status;

import org.jspecify.annotations.NullMarked;
