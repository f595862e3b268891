/** The life of a virtual cluster, decided by pure functions. Stands on java.base alone. */
module dev.sluice.lifecycle {
  requires static org.jspecify;

  exports dev.sluice.lifecycle;
  exports dev.sluice.lifecycle.doors;
  exports dev.sluice.lifecycle.quiet;
  exports dev.sluice.lifecycle.reload;
}
