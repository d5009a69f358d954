import Aggregate
import RASPInsight
import Streams
import TestSupport

/// A state whose events are words.
struct Words: AggregateState {
  var words: [String] = []

  mutating func apply(_ word: String) { words.append(word) }
}

/// A recorded aggregator of words.
struct Traced: Sendable {
  let aggregator = Aggregator(initial: Words())
  let recorder: FlightRecorder<Words>

  init(_ insight: Insight = Insight(), as name: String = "traced", last count: Int = 512) {
    recorder = insight.record(aggregator, as: name, last: count)
  }

  /// The cause of each event.
  var causes: [String: Cause] {
    Dictionary(recorder.recording.entries.map { ($0.event, $0.cause) }, uniquingKeysWith: { _, newest in newest })
  }

  /// The identity of the newest event that is this word; `nil` if there is none.
  func identity(_ word: String) -> Cause? {
    let recording = recorder.recording
    return recording.entries.last { $0.event == word }.map { recording.cause(of: $0) }
  }

  func send(_ word: String) { aggregator.send(word) }
}

/// Runs `body` in a task that has a cause, outside of all deliveries.
func inTask<Result: Sendable>(of cause: Cause, _ body: @Sendable () -> Result) async -> Result {
  await cause.perform {
    await Task.yield()
    return body()
  }
}

/// An identity of something else, as a task of an earlier action has it.
let elsewhere = Cause(lane: 1 << 24 - 1, number: 77)
