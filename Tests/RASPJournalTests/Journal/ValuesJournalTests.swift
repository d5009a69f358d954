import Aggregate
import JournalTestSupport
import RASPTesting
import RASPValues
import TestSupport
import Testing

@testable import RASPJournal

@Suite("A journal of a state that is undone")
struct ValuesJournalTests {
  private struct Cart: AggregateState, Codable, Hashable {
    enum Event: Hashable, Codable {
      case add(String)
      case remove(String)
    }

    var items: [String] = []

    mutating func apply(_ event: Event) throws(TestError) {
      switch event {
      case .add(let item): items.append(item)
      case .remove(let item):
        guard let index = items.lastIndex(of: item) else { throw TestError(code: 1) }
        items.remove(at: index)
      }
    }
  }

  /// Sends the events in two runs of a program, with and without a snapshot between them, and returns the states after
  /// each event, as they were and as the journal has them.
  private func check<State: AggregateState & Codable>(
    _ initial: State,
    _ events: [State.Event],
    _ look: (State) -> [String]
  ) async throws where State.Event: Codable {
    for interval in [2, 10_000] {
      let disk = SimulatedDisk()
      var setup = JournalSetup()
      setup.plan.snapshotInterval = interval
      var expected = initial
      for half in [events.prefix(events.count / 2), events.suffix(from: events.count / 2)] {
        let journal = try Journal(at: "j", startingWith: initial, coding: .codable, setup, on: disk)
        let aggregator = try Aggregator(continuing: journal)
        #expect(look(aggregator.snapshot) == look(expected))
        for event in half {
          aggregator.send(event)
          try? expected.apply(event)
          #expect(look(aggregator.snapshot) == look(expected))
        }
        try await journal.close()
      }
      let journal = try Journal(at: "j", startingWith: initial, coding: .codable, setup, on: disk)
      #expect(look(try Aggregator(continuing: journal).snapshot) == look(expected))
      try await journal.close()
    }
  }

  private static let revisions: [Revision<Cart.Event>] = [
    .change(.add("boat")), .change(.add("oar")), .change(.remove("anchor")), .undo, .undo, .redo, .change(.add("sail")),
    .undo, .undo, .redo, .change(.add("k"), joining: "word"), .apply(.add("buoy")),
    .change(.add("eel"), joining: "word"), .undo,
  ]

  @Test("undo and redo go on where they were")
  func undoable() async throws {
    try await check(Undoable(Cart(), limit: 3), Self.revisions) {
      $0.items + ["\($0.canUndo) \($0.canRedo)"]
    }
  }
}
