import Aggregate
import RASPKeyed
import Streams
import Testing

@Suite("What is taken as a source")
struct RowInputsTests {
  private struct Tally: AggregateState {
    var sum = 0
    mutating func apply(_ event: Int) { sum += event }
  }

  private struct TestError: Error {}

  private func sums(_ rows: KeyedAggregator<Int, Tally>) -> [Int: Int] {
    Dictionary(uniqueKeysWithValues: rows.rows().map { ($0.key, $0.value.sum) })
  }

  @Test("FACE-127: subjects are sources of rows, one by one and as an array")
  func subjects() {
    let (first, second) = (Subject<Int, Never>(), Subject<Int, TestError>())
    let parity: @Sendable (Int) -> Int = { $0 % 2 }
    let makers: [KeyedAggregator<Int, Tally>] = [
      KeyedAggregator(by: parity, initial: { _ in Tally() }, sources: first, second),
      KeyedAggregator(by: parity, initial: { _ in Tally() }),
      KeyedAggregator(by: parity, initial: { _ in Tally() }),
    ]
    makers[1].replace(sources: [first, Subject()])
    makers[2].replace(sources: [first.map { $0 }, .never])
    first.send(3)
    second.send(4)
    #expect(makers.map(sums) == [[1: 3, 0: 4], [1: 3], [1: 3]])
  }

  @Test("FACE-127: a source that is added, and sources that replace others, may be subjects, also of packets")
  func changes() {
    let (old, new, packets) = (Subject<Int, Never>(), Subject<Int, TestError>(), Subject<[Int], Never>())
    let rows = KeyedAggregator(by: { $0 % 2 }, initial: { (_: Int) in Tally() }, sources: old)
    let totals = Aggregator(initial: Tally(), sources: old)
    for event in [1, 2] { old.send(event) }
    rows.replace(sources: new, old)
    totals.replace(sources: [new])
    old.send(10)
    new.send(20)
    rows.replace(sources: [old])
    let added = (rows.add(new), totals.add(old, as: "old"))
    rows.add(packets: packets)
    totals.add(packets: packets)
    new.send(100)
    old.send(200)
    packets.send([1000, 2001])
    #expect(sums(rows) == [1: 2002, 0: 1332])
    #expect(totals.snapshot.sum == 3324)
    let removed = (rows.remove(source: added.0), totals.remove(source: added.1))
    #expect(removed == (true, true))
    old.send(4000)
    new.send(8000)
    #expect(sums(rows)[0] == 5332)
    #expect(totals.snapshot.sum == 11324)
  }
}
