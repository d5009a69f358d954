import Aggregate
import JournalTestSupport
import RASPTesting
import TestSupport
import Testing

@testable import RASPJournal

@Suite("A journal of a state that is undone, or shows changes before they are confirmed")
struct ValuesJournalTests {
  private struct Cart: ReversibleState, Codable, Hashable {
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

    func inverse(of event: Event) -> Event? {
      switch event {
      case .add(let item): .remove(item)
      case .remove(let item): .add(item)
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
    .undo, .undo, .redo,
  ]

  @Test("undo and redo go on where they were")
  func undoable() async throws {
    try await check(Undoable(Cart(), limit: 3), Self.revisions) {
      $0.items + ["\($0.canUndo) \($0.canRedo)"]
    }
  }

  @Test("undo and redo by inverse events go on where they were")
  func reversible() async throws {
    try await check(Reversible(Cart(), limit: 3), Self.revisions) {
      $0.items + ["\($0.canUndo) \($0.canRedo)"]
    }
  }

  @Test("changes that wait for their answers are there again, and are confirmed or refused then")
  func optimistic() async throws {
    let events: [Prediction<Cart.Event, Int>] = [
      .change(.add("boat")), .predict(.add("oar"), as: 1), .predict(.add("sail"), as: 2),
      .predict(.remove("cat"), as: 3),
      .change(.add("anchor")), .refuse(1), .confirm(2), .predict(.remove("boat"), as: 4), .confirm(4),
    ]
    try await check(Optimistic<Cart, Int>(Cart()), events) {
      $0.present.items + ["|"] + $0.confirmed.items + $0.waitingIDs.map { "\($0)" }
    }
  }
}
