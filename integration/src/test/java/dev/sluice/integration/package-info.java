/** Real servers, real sockets, real clients: what is claimed about Kafka is shown here. */
@NullMarked
package dev.sluice.integration;

import org.jspecify.annotations.NullMarked;
