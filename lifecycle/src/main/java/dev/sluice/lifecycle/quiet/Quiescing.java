package dev.sluice.lifecycle.quiet;

import dev.sluice.lifecycle.quiet.QuietEvent.Marked;
import dev.sluice.lifecycle.quiet.QuietEvent.OneWayRead;
import dev.sluice.lifecycle.quiet.QuietEvent.RequestRead;
import dev.sluice.lifecycle.quiet.QuietEvent.ResponseCame;
import dev.sluice.lifecycle.quiet.QuietState.Closed;
import dev.sluice.lifecycle.quiet.QuietState.Open;
import dev.sluice.lifecycle.quiet.QuietState.Quieting;
import dev.sluice.lifecycle.quiet.QuietState.Switched;
import java.util.ArrayList;
import java.util.List;

/**
 * How one connection goes quiet, as one total function: the same state and the same event give the
 * same step, always.
 *
 * <p>An event is first taken in ({@link Intake}): a request that was read and a response that came
 * get their answer there. Then it is seen what follows ({@link Course}): phases change, polls are
 * ended, the end is sent.
 */
public final class Quiescing {

  /** Where every connection begins. */
  public static final QuietState OPEN = new Open();

  private Quiescing() {}

  /** What follows from an event in a state. Never throws. */
  public static QuietStep on(QuietState state, QuietEvent event) {
    return switch (state) {
      case Open _ -> whileServing(state, List.of(), event);
      case Switched now -> whileServing(state, now.late(), event);
      case Quieting now -> goOn(new Turn(now, event.at()), event);
      case Closed _ -> whileClosed(state, event);
    };
  }

  private static QuietStep goOn(Turn turn, QuietEvent event) {
    Intake.take(turn, event);
    Course.follow(turn);
    return turn.end();
  }

  /** Nobody wants it quiet; there may be responses to drop from when somebody did. */
  private static QuietStep whileServing(QuietState now, List<Pending> late, QuietEvent event) {
    return switch (event) {
      case Marked marked -> {
        var turn = new Turn(marked, late);
        Course.begin(turn);
        Course.follow(turn);
        yield turn.end();
      }
      case RequestRead _, OneWayRead _ ->
          QuietStep.of(now, Because.NOT_MARKED, new QuietAction.Forward());
      case ResponseCame came -> responseWhileServing(now, late, came);
      case QuietEvent.TermsTightened _,
          QuietEvent.BytesRead _,
          QuietEvent.OneWaysWritten _,
          QuietEvent.Answered _,
          QuietEvent.Written _,
          QuietEvent.TimerRang _,
          QuietEvent.ClientEnded _,
          QuietEvent.ClientLost _,
          QuietEvent.UpstreamEnded _,
          QuietEvent.SwitchMade _,
          QuietEvent.SwitchFailed _ ->
          QuietStep.of(now, Because.NOT_MARKED);
    };
  }

  private static QuietStep responseWhileServing(
      QuietState now, List<Pending> late, ResponseCame came) {
    var rest = new ArrayList<>(late);
    if (now instanceof Switched(_, var report)
        && rest.removeIf(each -> each.request().number() == came.number())) {
      return QuietStep.of(
          new Switched(rest, Tally.withLateAnswerDropped(report)),
          Because.NOTED,
          new QuietAction.Drop(came.number()));
    }
    return QuietStep.of(now, Because.NOT_MARKED, new QuietAction.Pass(came.number()));
  }

  private static QuietStep whileClosed(QuietState now, QuietEvent event) {
    return switch (event) {
      case RequestRead _, OneWayRead _ ->
          QuietStep.of(now, Because.OVER, new QuietAction.Discard());
      case ResponseCame came ->
          QuietStep.of(now, Because.OVER, new QuietAction.Drop(came.number()));
      case Marked _,
          QuietEvent.TermsTightened _,
          QuietEvent.BytesRead _,
          QuietEvent.OneWaysWritten _,
          QuietEvent.Answered _,
          QuietEvent.Written _,
          QuietEvent.TimerRang _,
          QuietEvent.ClientEnded _,
          QuietEvent.ClientLost _,
          QuietEvent.UpstreamEnded _,
          QuietEvent.SwitchMade _,
          QuietEvent.SwitchFailed _ ->
          QuietStep.of(now, Because.OVER);
    };
  }
}
