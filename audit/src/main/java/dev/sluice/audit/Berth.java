package dev.sluice.audit;

import java.util.function.Supplier;

/**
 * A client that is still to come aboard.
 *
 * @param book its book
 * @param client makes it
 */
record Berth(Book book, Supplier<AuditedClient> client) {}
