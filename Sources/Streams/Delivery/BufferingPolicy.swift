/// What becomes of values that arrive faster than a `for await` loop takes them.
///
/// A value that the loop is already waiting for goes straight to it and does not count against a bound. A bound below
/// zero is taken as zero.
public enum BufferingPolicy: Sendable, Hashable {
  /// Keep them all: nothing is lost, and memory grows as far as the reader falls behind. For events.
  case unbounded

  /// Keep the last so many, and drop the oldest of them for each newcomer. For readings.
  case newest(Int)

  /// Keep the first so many, and drop what arrives while they wait.
  case oldest(Int)
}
