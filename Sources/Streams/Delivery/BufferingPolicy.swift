/// Says what becomes of values that arrive faster than they are taken: by a `for await` loop, or by the thread that
/// delivers for a ``Subject`` or an aggregator.
///
/// A value that a loop is already waiting for goes straight to it and does not count against a bound, nor does the
/// value that is being delivered. A bound below zero is taken as zero.
public enum BufferingPolicy: Sendable, Hashable {
  /// Keeps them all. Nothing is lost, and memory grows with the number of values that wait. Use it for events.
  case unbounded

  /// Keeps the given number of newest values, and drops the oldest of them for each newcomer. Use it for readings.
  case newest(Int)

  /// Keeps the given number of oldest values, and drops what arrives while they wait.
  case oldest(Int)

  /// The greatest number of values that wait.
  @inlinable
  var limit: Int {
    switch self {
    case .unbounded: .max
    case .newest(let count), .oldest(let count): max(0, count)
    }
  }
}
