package dev.sluice.proxy;

/** What becomes of the connections of clients when a virtual cluster is restarted. */
public enum ClientConnections {
  /** They go on: what is behind them is made anew, and clients do not notice it. */
  KEPT,
  /** They are closed quietly, node by node, and clients connect anew. */
  CLOSED
}
