/// The time that passes in a recording, told from the times of day in its sentences.
///
/// Receivers differ by a second or more, repeat themselves, and a recording may have gaps or begin again. So
/// every kind of sentence of every talker is a watch of its own, of which only the steps count: the clock never
/// runs backwards, and it does not run away when two watches disagree.
struct RecordingClock: Sendable {
  private struct Watch {
    /// What the watch showed last.
    var timeOfDay: Duration
    /// How much time had passed since the start of the recording then.
    var elapsed: Duration
  }

  private static let day: Duration = .seconds(86_400)

  /// Since the first time of day in the recording.
  private(set) var elapsed: Duration = .zero
  private var watches: [String: Watch] = [:]

  /// Takes in the time of day in a sentence with this address, and returns the time elapsed, if it has grown.
  mutating func read(_ timeOfDay: Duration, on address: String) -> Duration? {
    guard var watch = watches[address] else {
      watches[address] = Watch(timeOfDay: timeOfDay, elapsed: elapsed)
      return nil
    }

    var step = timeOfDay - watch.timeOfDay
    if step < .zero { step += Self.day }
    // More than half a day forwards is a step backwards: the recording begins again from here.
    watch.elapsed = step < Self.day / 2 ? watch.elapsed + step : elapsed
    watch.timeOfDay = timeOfDay
    watches[address] = watch

    guard watch.elapsed > elapsed else { return nil }
    elapsed = watch.elapsed
    return elapsed
  }
}
