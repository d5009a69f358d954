import Streams

extension Cluster {
  /// The recorders, which do not keep the cluster alive.
  package var recorders: OccurrenceRecorders { core.recorders }

  /// Begins to record actions. They get identities from now on.
  package func record(as name: String, last count: Int, clock: TapeClock) -> OccurrenceTape {
    core.recorders.record(as: name, last: count, clock: clock)
  }

  /// Ends one use of a tape.
  package func endRecording(onto tape: OccurrenceTape) {
    core.recorders.end(tape)
  }
}
