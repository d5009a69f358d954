/// How fast the input is read, and where the time comes from that makes readings go stale.
enum Pace: Equatable, Sendable {
  /// A recording, as fast as it can be folded. Time comes from the times of day in it, so that the result does not
  /// depend on the speed of the machine.
  case recording
  /// A recording, held back to the times of day in it. Time comes from the clock on the wall.
  case recordingInRealTime
  /// A receiver, as it speaks. Time comes from the clock on the wall.
  case live
}
