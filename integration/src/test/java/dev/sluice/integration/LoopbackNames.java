package dev.sluice.integration;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.stream.Stream;

/** Lets names that end in {@code .sluice.test} lead to this machine, in the JVM of the tests. */
public final class LoopbackNames extends InetAddressResolverProvider {

  private static final String OURS = ".sluice.test";

  @Override
  public InetAddressResolver get(Configuration configuration) {
    return new Resolver(configuration.builtinResolver());
  }

  @Override
  public String name() {
    return "names of this machine";
  }

  private record Resolver(InetAddressResolver others) implements InetAddressResolver {

    @Override
    public Stream<InetAddress> lookupByName(String host, LookupPolicy policy)
        throws UnknownHostException {
      return host.endsWith(OURS)
          ? Stream.of(InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1}))
          : others.lookupByName(host, policy);
    }

    @Override
    public String lookupByAddress(byte[] address) throws UnknownHostException {
      return others.lookupByAddress(address);
    }
  }
}
