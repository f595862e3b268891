package dev.sluice.lifecycle.quiet;

import static dev.sluice.lifecycle.quiet.Terms.Way.IN_PLACE;
import static dev.sluice.lifecycle.quiet.Terms.Way.PAUSE_AND_CLOSE;
import static dev.sluice.lifecycle.quiet.Wire.GRACE;
import static dev.sluice.lifecycle.quiet.Wire.MILLI;
import static dev.sluice.lifecycle.quiet.Wire.fetch;
import static dev.sluice.lifecycle.quiet.Wire.join;
import static dev.sluice.lifecycle.quiet.Wire.metadata;
import static dev.sluice.lifecycle.quiet.Wire.produce;

import dev.sluice.lifecycle.quiet.Client.Courtesy;
import dev.sluice.lifecycle.quiet.Request.Kind;
import dev.sluice.lifecycle.quiet.Request.WhenLate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Some states of each phase, each reached by events, and some events of each kind. */
final class QuietSpecimens {

  /** When an event happens to a specimen: all of these have been reached by then. */
  private static final long NOW = GRACE * MILLI + 15 * MILLI;

  private QuietSpecimens() {}

  static Map<String, QuietState> states() {
    var states = new LinkedHashMap<String, QuietState>();
    states.put("open", Quiescing.OPEN);
    states.put("shaking hands", late().notGreeted().marked(PAUSE_AND_CLOSE).state());
    states.put("marked", late().with(produce(1)).marked(PAUSE_AND_CLOSE).state());
    states.put("marked, nothing in flight", late().marked(PAUSE_AND_CLOSE).state());
    states.put("pausing", pausing().state());
    states.put("pausing, a request in flight", pausing().reads(produce(2)).state());
    states.put("pausing, a poll held", pausing().reads(fetch(2, 30_000)).state());
    states.put(
        "pausing, known",
        late()
            .of(Courtesy.HONOURS)
            .with(produce(1))
            .marked(PAUSE_AND_CLOSE)
            .at(1)
            .responds(1)
            .state());
    states.put("refusing", new Wire().with(produce(1)).marked(PAUSE_AND_CLOSE).ring(GRACE).state());
    states.put(
        "unread",
        late().of(Courtesy.IGNORES).with(produce(1), fetch(2, 9)).marked(PAUSE_AND_CLOSE).state());
    states.put("staying, a join", late().with(join(1)).marked(IN_PLACE).state());
    states.put("staying, sharing", late().sharing().marked(IN_PLACE).state());
    states.put("stilling", late().with(produce(1)).marked(IN_PLACE).state());
    states.put("still", late().marked(IN_PLACE).state());
    states.put(
        "switched",
        late().marked(IN_PLACE).tell(new QuietEvent.SwitchMade(NOW - MILLI, true)).state());
    var ended = late().idleFor(500).marked(PAUSE_AND_CLOSE);
    states.put("half closed", ended.state());
    states.put("closed", ended.tell(new QuietEvent.ClientLost(NOW)).state());
    return states;
  }

  static List<QuietEvent> events() {
    var client = new Client(Courtesy.UNKNOWN, 0, false);
    return List.of(
        marked(PAUSE_AND_CLOSE, client),
        marked(IN_PLACE, client),
        marked(IN_PLACE, new Client(Courtesy.UNKNOWN, 0, true)),
        marked(PAUSE_AND_CLOSE, new Client(Courtesy.IGNORES, 0, false)),
        new QuietEvent.TermsTightened(NOW, Wire.terms(PAUSE_AND_CLOSE)),
        new QuietEvent.TermsTightened(NOW, lateTerms(PAUSE_AND_CLOSE)),
        new QuietEvent.RequestRead(NOW, produce(3)),
        new QuietEvent.RequestRead(NOW, metadata(3)),
        new QuietEvent.RequestRead(NOW, fetch(3, 30_000)),
        new QuietEvent.RequestRead(NOW, Wire.request(3, Kind.ORDINARY, 0, WhenLate.CLOSED)),
        new QuietEvent.OneWayRead(NOW),
        new QuietEvent.BytesRead(NOW, true),
        new QuietEvent.OneWaysWritten(NOW, 1),
        new QuietEvent.ResponseCame(NOW, 1, true, 0),
        new QuietEvent.ResponseCame(NOW, 2, true, 0),
        new QuietEvent.Answered(NOW, 1),
        new QuietEvent.Written(NOW, 2),
        new QuietEvent.TimerRang(NOW),
        new QuietEvent.TimerRang(NOW + 150 * MILLI),
        new QuietEvent.TimerRang(NOW + 9_000 * MILLI),
        new QuietEvent.TimerRang(NOW + 30_000 * MILLI),
        new QuietEvent.ClientEnded(NOW),
        new QuietEvent.ClientLost(NOW),
        new QuietEvent.UpstreamEnded(NOW),
        new QuietEvent.SwitchMade(NOW, true),
        new QuietEvent.SwitchMade(NOW, false),
        new QuietEvent.SwitchFailed(NOW));
  }

  private static Terms lateTerms(Terms.Way way) {
    return new Terms(way, Wire.PAUSE, NOW + 8_000 * MILLI, NOW + 10_000 * MILLI);
  }

  private static QuietEvent marked(Terms.Way way, Client client) {
    return new QuietEvent.Marked(NOW, lateTerms(way), client, List.of(), 0, NOW, true, true);
  }

  /** A connection whose drain begins just before now. */
  private static Wire late() {
    return new Wire().beginning(NOW - 51 * MILLI);
  }

  private static Wire pausing() {
    var wire = late().with(produce(1)).marked(PAUSE_AND_CLOSE);
    return wire.at(1).responds(1).at(3);
  }
}
