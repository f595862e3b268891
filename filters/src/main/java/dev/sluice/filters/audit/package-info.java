/**
 * Who asked for what, and what came of it, as lines of the log.
 *
 * <p>{@link dev.sluice.filters.audit.AuditLogFactory} says which APIs are audited: unless told
 * otherwise those that change something for others. Names are told, values never: there are
 * passwords among them.
 */
@NullMarked
package dev.sluice.filters.audit;

import org.jspecify.annotations.NullMarked;
