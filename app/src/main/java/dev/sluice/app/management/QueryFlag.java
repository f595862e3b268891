package dev.sluice.app.management;

import io.javalin.http.Context;

/**
 * The only parameter that a call takes: true or false, false where it is missing. A name that is
 * misspelt would do what was not asked for: nothing else may stand there.
 */
record QueryFlag(String name) {

  /** Whether it is set; a problem where something else is. */
  boolean isSet(Context call) {
    for (var given : call.queryParamMap().keySet()) {
      if (!given.equals(name)) {
        throw bad("Expected no parameter but " + name + ", found '" + given + "'");
      }
    }
    var given = call.queryParam(name);
    return switch (given) {
      case null -> false;
      case "true" -> true;
      case "false" -> false;
      default ->
          throw bad("Expected " + name + "=true or " + name + "=false, found '" + given + "'");
    };
  }

  private static ProblemException bad(String what) {
    return new ProblemException(400, "Bad Request", what + "; nothing was done.");
  }
}
