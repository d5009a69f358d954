import Aggregate
import RASPInsight
import RASPKeyed
import RASPTesting
import Streams
import TestSupport
import Testing

/// A word and the number of the row it goes to.
private struct Placed: Sendable {
  let row: Int
  let word: String
}

private struct Row: AggregateState, Equatable {
  var words: [String] = []

  mutating func apply(_ placed: Placed) { words.append(placed.word) }
}

@Suite struct KeyedCauseTests {
  private func makeRows(_ shards: Int) -> KeyedAggregator<Int, Row> {
    KeyedAggregator(shards: shards, indexOf: { $0 % shards }, by: \Placed.row, initial: { _ in Row() })
  }

  @Test(arguments: [1, 4])
  func aRowPassesTheCauseOn(shards: Int) {
    let (source, target) = (Traced(), Traced())
    let rows = makeRows(shards)
    let tokens = [
      source.aggregator.events.subscribe { rows.send(Placed(row: $0.utf8.count, word: $0)) },
      rows[3].select(\.words).subscribe { words in target.send("row \(words?.last ?? "none")") },
      rows.events.subscribe { target.send("event \($0.word)") },
      rows.changes.subscribe { _ in target.send("change") },
    ]
    source.send("one")
    rows.send(Placed(row: 3, word: "own"))
    source.send("two")
    for word in ["one", "two"] {
      #expect(target.causes["row \(word)"] == source.identity(word))
      #expect(target.causes["event \(word)"] == source.identity(word))
    }
    #expect(target.causes["row own"] == .unknown)
    #expect(target.causes["change"] == source.identity("two"))
    for token in tokens { token.cancel() }
  }

  @Test func whatWaitsForARowTakesItsCauseAlong() async {
    let rows = makeRows(2)
    await expectOwnCauses { left, right, hold in
      [
        rows.events.subscribe { hold($0.word) },
        left.aggregator.events.subscribe { rows.send(Placed(row: 0, word: $0)) },
        right.aggregator.events.subscribe { rows.send(Placed(row: 0, word: $0)) },
      ]
    }
  }
}
