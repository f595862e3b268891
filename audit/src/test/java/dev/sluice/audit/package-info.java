/** The audit, audited: against a real broker, behind a relay that does what it must find. */
@NullMarked
package dev.sluice.audit;

import org.jspecify.annotations.NullMarked;
