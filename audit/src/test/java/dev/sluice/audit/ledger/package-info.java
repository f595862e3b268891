@NullMarked
package dev.sluice.audit.ledger;

import org.jspecify.annotations.NullMarked;
