import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Aggregate
@testable import RASPHistory

@Suite("The last number of a lane, and a process without lanes")
struct LastNumberTests {
  private static let lastNumber = 1 << 40 - 1

  /// An aggregator that has recorded so many events in a lane.
  private func journal(lane: Int, newest: Int) -> Aggregator<Journal> {
    let channel = TapeChannel<Journal.Event>(capacity: 16) {
    } awaitRoom: {
      false
    }
    let continuation = Continuation(
      of: Journal(),
      newest: newest,
      lane: lane,
      clock: TapeClock(VirtualScheduler()),
      channel: channel,
      owner: channel
    )
    return Aggregator(continuing: continuation, buffering: .unbounded, newcomers: [])
  }

  /// The causes of four events that the events of another aggregator bring about.
  private func causes(of events: Observable<Int, Never>, _ send: (Int) -> Void) -> [Cause] {
    let effects = Aggregator(initial: Journal(), sources: events)
    let recorder = TapeRecorder(effects)
    for event in 1...4 { send(event) }
    #expect(recorder.recording.entries.map(\.event) == [1, 2, 3, 4])
    return recorder.recording.entries.map(\.cause)
  }

  @Test("the events behind the last number have no identity, and keep their numbers")
  func aggregator() {
    let lane = CauseLanes.next()
    let journal = journal(lane: lane, newest: Self.lastNumber - 2)
    let recorder = TapeRecorder(journal)
    let causes = causes(of: journal.events) { journal.send($0) }
    #expect(causes == [1, 0].map { Cause(lane: lane, number: Self.lastNumber - $0) } + [.unknown, .unknown])
    let recording = recorder.recording
    #expect(recording.entries.map(\.number) == (-1...2).map { Self.lastNumber + $0 })
    #expect(recording.entries.map { recording.cause(of: $0) } == causes)
  }

  @Test("where the process has no lane left, all causes are unknown")
  func withoutLane() {
    let journal = journal(lane: 0, newest: 0)
    #expect(causes(of: journal.events) { journal.send($0) } == Array(repeating: .unknown, count: 4))
  }
}
