package dev.sluice.app.reload;

/** Hears of every reload that has ended, planned ones excluded. On any thread; must not wait. */
@FunctionalInterface
public interface ReloadListener {

  void reloaded(ReloadResult result);
}
