package dev.sluice.app.configuration;

import dev.sluice.proxy.ProxySpec;
import java.util.Optional;

/**
 * A configuration in which no error was found.
 *
 * @param management where the proxy is watched and told what to do
 * @param proxy what the proxy serves
 * @param escalation whom to tell when a virtual cluster fails
 * @param reload how the next one takes its place
 */
public record Configuration(
    ManagementSpec management,
    ProxySpec proxy,
    Optional<EscalationSpec> escalation,
    ReloadSpec reload) {}
