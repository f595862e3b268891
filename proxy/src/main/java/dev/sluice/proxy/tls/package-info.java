/**
 * From what a configuration says of keys and trust to what speaks TLS with it.
 *
 * <p>A {@link dev.sluice.proxy.tls.TlsSpec} names files and remembers what was in them when the
 * configuration was read, so that a rotated certificate is a change like any other. {@link
 * dev.sluice.proxy.tls.TlsMaterial} reads them, which blocks, and says in one sentence which key of
 * the configuration is to be corrected if they cannot be used. No message, text or digest that
 * leaves this package tells a secret.
 */
@NullMarked
package dev.sluice.proxy.tls;

import org.jspecify.annotations.NullMarked;
