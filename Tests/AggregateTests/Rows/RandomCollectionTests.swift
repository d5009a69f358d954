import Aggregate
import AggregateTestSupport
import Streams
import TestSupport
import Testing

/// Programs that change a collection with keys in every way, on an aggregator whose rows are selected twice: by
/// `select(_:key:)` and by a closure. Both must deliver the same, to all subscribers in the same order.
@Suite("Keyed: random programs")
struct RandomCollectionTests {
  private struct Noted: Equatable, Sendable {
    let subscriber: Int
    let text: String
  }

  private final class Run<Manner: RandomTree.Mode>: Sendable {
    typealias State = Stock<Manner>

    let aggregator = Aggregator(initial: State())
    let byKey = Log<Noted>()
    let byClosure = Log<Noted>()
    private let count = Counter()
    private let tokens = Lock<[[Subscription]]>([])
    private let kept = Lock<[State]>([])
    private let random: Lock<SplitMix>
    /// Above zero while only one of the two may have been subscribed.
    private let pairing = Counter()
    private let refusals: Subscription

    init(seed: UInt64) {
      random = Lock(SplitMix(seed: seed))
      refusals = aggregator.rejections.subscribe { _ in }
      for _ in 0..<number(5..<60) { step() }
    }

    func number(_ range: Range<Int>) -> Int { random.withLock { Int.random(in: range, using: &$0) } }

    func step() {
      switch number(0..<20) {
      case 0..<5: subscribe()
      case 5: tokens.withLock { $0.isEmpty ? [] : $0.remove(at: 0) }.forEach { $0.cancel() }
      case 6, 7:
        // It stays alive, so that the next change copies the rows.
        let snapshot = aggregator.snapshot
        kept.withLock { $0.append(snapshot) }
      case 8: kept.withLock { $0 = $0.suffix(1) }
      default: send()
      }
    }

    func send() {
      let changes = (0..<number(1..<4)).map { _ in change() }
      aggregator.send(State.Event(changes: changes, isRefused: number(0..<6) == 0))
    }

    private func change() -> State.Change {
      let key = number(0..<5)
      return switch number(0..<24) {
      case 0..<6: .set(key, number(0..<3))
      case 6..<10: .add(key)
      case 10..<12: .relabel(key, number(0..<2))
      case 12, 13: .remove(key)
      case 14: .setNil(key)
      case 15: .removeAll
      case 16: .addOrMake(number(0..<5))
      case 17: .merge((0..<number(0..<4)).map { _ in number(0..<5) })
      case 18..<20: .replace(earlier())
      case 20: .replace([:])
      case 21: .many(key, number(60..<140))
      default: .count
      }
    }

    private func earlier() -> State.Rows {
      let index = number(0..<1000)
      return kept.withLock { $0.isEmpty ? [:] : $0[index % $0.count].rows }
    }

    private func subscribe() {
      let key = number(0..<5)
      switch number(0..<5) {
      case 0, 1: pair(aggregator.select(\.rows, key: key), aggregator.select { $0.rows[key] })
      case 2: pair(aggregator.select(\.shelf.rows, key: key), aggregator.select { $0.shelf.rows[key] })
      case 3: pair(aggregator.select(\.computed, key: key), aggregator.select { $0.computed[key] })
      default: pair(aggregator.select(\.rows, key: key).select(\.?.label), aggregator.select { $0.rows[key]?.label })
      }
    }

    private func pair<Field: Equatable & Sendable>(_ keyed: Selection<Field?>, _ closure: Selection<Field?>) {
      let subscriber = count.increment()
      pairing.increment()
      defer { pairing.decrement() }
      let pair = [
        keyed.subscribe { [unowned self] field in
          byKey.note(Noted(subscriber: subscriber, text: "\(field as Any)"))
          if byKey.count % 16 == 0, pairing.value == 0 { number(0..<2) == 0 ? send() : subscribe() }
        },
        closure.subscribe { [byClosure] in byClosure.note(Noted(subscriber: subscriber, text: "\($0 as Any)")) },
      ]
      tokens.withLock { $0.append(pair) }
      #expect(keyed.current == closure.current)
    }

    func tearDown() {
      for token in tokens.exchange(with: []).joined() { token.cancel() }
    }
  }

  private func run<Manner: RandomTree.Mode>(_ manner: Manner.Type) {
    for seed in 0..<UInt64(rounds(10_000)) {
      let run = Run<Manner>(seed: seed)
      run.tearDown()
      let (byKey, byClosure) = (run.byKey.entries, run.byClosure.entries)
      guard byKey != byClosure else { continue }
      let index = zip(byKey, byClosure).enumerated().first { $1.0 != $1.1 }?.offset ?? min(byKey.count, byClosure.count)
      Issue.record(
        """
        seed \(seed), entry \(index)
        by key     \(byKey.dropFirst(index).prefix(3))
        by closure \(byClosure.dropFirst(index).prefix(3))
        """
      )
      return
    }
  }

  @Test(
    "KEY-02: rows of a Keyed that are selected by key: the same values, in the same order, as selected by a closure"
  )
  func keyed() {
    run(RandomTree.Willing.self)
    run(RandomTree.Picky.self)
  }
}
