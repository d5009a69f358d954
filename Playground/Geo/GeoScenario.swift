import Aggregate
import Streams

/// A receiver's sentences: heading, position, depth and wind, from several talkers at their own rates, merged with
/// the passing of time into one consistent navigation state.
struct GeoScenario: Sendable {
  let path: String
  let realTime: Bool
  let options: Options
  /// Where time comes from when it does not come from a recording.
  var scheduler: any Scheduler = .continuous

  func run(output: Output) async throws(RunFailure) {
    let input = try Input(path: path)
    let pace = realTime ? .recordingInRealTime : input.isRecording ? .recording : NavigationEventsPace.live
    try await run(NavigationEvents(lines: Lines(chunks: input), pace: pace), output: output)
  }
}
