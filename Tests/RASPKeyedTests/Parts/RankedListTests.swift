import TestSupport
import Testing

@testable import RASPKeyed

@Suite("The list of a ranking")
struct RankedListTests {
  private typealias List = RankedList<Double, Int>
  private typealias Entry = List.Entry

  /// Sorted anew each time, with NaN behind all others and ties by number.
  private func sorted(_ entries: [Entry], descending: Bool) -> [Entry] {
    entries.sorted { left, right in
      let (a, b) = (left.value, right.value)
      if a.isNaN != b.isNaN { return b.isNaN }
      if a == b || a.isNaN { return left.number < right.number }
      return descending ? a > b : a < b
    }
  }

  private func shown(by list: List) -> [Entry] {
    var entries: [Entry] = []
    list.forEachInWindow { entries.append($0) }
    return entries
  }

  /// No chunk is empty or too large, and no two neighbours are small enough for one.
  private func isPacked(_ list: List) -> Bool {
    let counts = list.chunks.map(\.count)
    return counts.allSatisfy { $0 > 0 && $0 < List.limit }
      && zip(counts, counts.dropFirst()).allSatisfy { $0 + $1 >= List.limit / 2 }
  }

  private func numbers(_ entries: some Sequence<Entry>) -> [UInt64] { entries.map(\.number) }

  private func check(seed: UInt64) {
    var random = SplitMix(seed: seed)
    func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }
    let isDescending = number(0..<2) == 0
    let window = [-1, 0, 1, 3, 20, 300, 5000][number(0..<7)]
    let values = [3, 40, 100_000][number(0..<3)]
    func value() -> Double { number(0..<12) == 0 ? .nan : Double(number(0..<values)) }
    var lastNumber: UInt64 = 0
    func entry() -> Entry {
      lastNumber += 1
      return Entry(value: value(), number: lastNumber, row: Int(lastNumber))
    }
    var entries = (0..<number(0..<700)).map { _ in entry() }.shuffled(using: &random)
    var list = List(entries, RankedOrder(descending: isDescending), window: window)
    for _ in 0..<number(1..<300) {
      let before = sorted(entries, descending: isDescending)
      var concerned: UInt64
      let isSeen: Bool
      switch number(0..<6) {
      case 0, 1:
        let entry = entry()
        concerned = entry.number
        entries.append(entry)
        isSeen = list.insert(entry)
      case 2 where !entries.isEmpty:
        let entry = entries.remove(at: number(0..<entries.count))
        concerned = entry.number
        isSeen = list.remove(entry)
      default:
        guard !entries.isEmpty else { continue }
        let index = number(0..<entries.count)
        let entry = entries[index]
        concerned = entry.number
        entries[index].value = value()
        isSeen = list.move(entry, to: entries[index].value)
      }
      let after = sorted(entries, descending: isDescending)
      let isExpected = [before, after].contains { $0.prefix(max(0, window)).contains { $0.number == concerned } }
      guard isSeen == isExpected, numbers(shown(by: list)) == numbers(after.prefix(max(0, window))),
        list.count == entries.count, isPacked(list)
      else {
        Issue.record("seed \(seed)")
        return
      }
    }
  }

  @Test(
    "KEY-05: a random list says the same as one that is sorted anew: the window, and whether a change is seen in it"
  )
  func random() {
    for seed in 0..<UInt64(rounds(3_000)) { check(seed: seed) }
  }

  @Test("KEY-05: the memory of a list follows the number of rows, also where each newcomer is the first")
  func memory() {
    var list = List([], RankedOrder(descending: true), window: 3)
    let count = 20_000
    func entry(_ number: Int) -> Entry { Entry(value: Double(number), number: UInt64(number), row: number) }
    for number in 0..<count { _ = list.insert(entry(number)) }
    // Each becomes the first one in turn.
    for number in 0..<count {
      _ = list.move(entry(number), to: Double(count + number))
    }
    #expect(list.chunks.count <= count * 4 / List.limit)
    #expect(isPacked(list))
    for number in 0..<count - 10 {
      _ = list.remove(Entry(value: Double(count + number), number: UInt64(number), row: number))
    }
    #expect(list.count == 10)
    #expect(list.chunks.count == 1)
  }

  @Test("Rows that are not there are not removed, and an empty list has an empty window")
  func empty() {
    var list = List([], RankedOrder(descending: true), window: 5)
    let entry = Entry(value: 1, number: 1, row: 1)
    #expect(shown(by: list).isEmpty)
    let answers = [
      list.remove(entry), list.insert(entry), list.remove(Entry(value: 1, number: 2, row: 2)), list.remove(entry),
    ]
    #expect(answers == [false, true, false, true])
    #expect(list.count == 0)
  }
}
