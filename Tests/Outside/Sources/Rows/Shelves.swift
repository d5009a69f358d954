import Aggregate
import RASPKeyed
import RASPTesting
import Streams

// What these programs say of the package in other words than their own.
private typealias Rows<Way: Manner> = KeyedAggregator<Int, Shelf<Way>>

extension KeyedAggregator {
  fileprivate static func made<Way: Manner>(_ eviction: RowEviction, on time: VirtualScheduler) -> Rows<Way> {
    Rows<Way>(by: \.key, initial: { _ in Shelf() }, options: KeyedOptions(evicting: eviction, on: time))
  }
  fileprivate func put(_ row: State, for key: Key) { insert([key: row] as KeyValuePairs) }
  fileprivate func take(_ key: Key) { remove(key) }
  fileprivate var size: Int { rowCount }
  fileprivate func size(_ condition: @escaping @Sendable (State) -> Bool) -> RowQuery<Int> { count(where: condition) }
  fileprivate func names(_ condition: @escaping @Sendable (State) -> Bool) -> RowQuery<Set<Key>> {
    keys(where: condition)
  }
  fileprivate var names: RowQuery<Set<Key>> { keys }
}

/// An event for a row.
private struct Delivery: Sendable {
  let key: Int
  let entry: Entry
}

private struct Shelf<Way: Manner>: AggregateState {
  var ledger = Ledger<Way>()

  mutating func apply(_ event: Delivery) throws(Way.Refusal) { try ledger.apply(event.entry) }
}

/// Rows with subscribers of one row and views over all, that come, go and send inside of callbacks: rankings, counts,
/// sets of keys, rows that are put in, removed and given up.
struct Shelves<Way: Manner>: Sendable {
  private typealias State = Shelf<Way>

  fileprivate let cast: Cast
  fileprivate let time: VirtualScheduler
  fileprivate let rows: Box<Rows<Way>?>
  fileprivate let views: [Look]
  // Made once for each program, so that subscribers share them.
  private let tags = StateSelector { (state: State) in state.ledger.list.count { $0 > 2 } }
  private let first = StateSelector { (list: [Int]?) in list?.first }
  private let always = StateSelector<State, Int>({ $0.ledger.a }, by: { _, _ in false })

  private static var keys: Int { 5 }
  private static var idleTime: Duration { .seconds(8) }

  fileprivate init(_ numbers: Numbers, _ transcript: Transcript) {
    (cast, time) = (Cast(numbers, transcript), VirtualScheduler())
    let (count, takesWatched) = (numbers.within(1...4), numbers.once(in: 2))
    let limits: [RowEviction] = [
      .beyond(count, includingObserved: takesWatched), .idle(for: Self.idleTime, includingObserved: takesWatched),
      .never,
    ]
    let rows: Rows<Way> = Rows<Way>.made(numbers.pick(limits), on: time)
    self.rows = Box(rows)
    let coarse = StateSelector(\State.ledger.a, by: { abs($0 - $1) < 3 })
    views = [
      Look(rows.each(\.ledger.a)), Look(rows.each(coarse)), Look(rows.each(tags)), Look(rows.each(\.ledger.level)),
      Look(rows.changes, Self.text), Look(rows.events),
      Look(rows.ranked(by: { $0.ledger.level }, first: 2)) { "\($0.map { "\($0.key) \($0.value)" })" },
      Look(rows.ranked(by: \.ledger.a, .ascending, first: 3)) { "\($0.map { "\($0.key) \($0.state.ledger.text)" })" },
      Look(rows.ranked(by: \.ledger.count, first: 64)) { "\($0.map(\.key))" },
      Look(rows.size { $0.ledger.a > 2 }), Look(rows.names { $0.ledger.level > 1 }) { "\($0.sorted())" },
      Look(rows.names) { "\($0.sorted())" },
    ]
  }

  private static func text(_ change: RowChange<Int, State>) -> String {
    switch change {
    case .inserted(let key, let row): "\(key) inserted \(row.ledger.text)"
    case .updated(let key, let row): "\(key) updated \(row.ledger.text)"
    case .removed(let key, let row, let reason): "\(key) \(reason.rawValue) \(row.ledger.text)"
    }
  }

  fileprivate func run() {
    guard let rows = rows.value else { return }
    let inside: @Sendable () -> Void = { act(isInside: true) }
    cast.act.value = inside
    cast.subscribe(rows.rejections, as: "refused") { "\($0.event) \(Fault.text($0.reason))" }
    for _ in 0..<cast.numbers.within(4...50) {
      act(isInside: false)
      guard cast.numbers.once(in: 16) else { continue }
      // So long that each row is given up that has had no event since the time before: at which instant that happens is
      // not promised. What a callback did meanwhile would depend on it.
      cast.act.value = nil
      time.advance(by: Self.idleTime * 3 / 2)
      cast.act.value = inside
      cast.note("time has passed")
    }
    cast.note("rows \(rows.rows().sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.ledger.text)" })")
  }

  private func act(isInside: Bool) {
    guard let rows = rows.value else { return }
    let (numbers, key) = (cast.numbers, cast.numbers.below(Self.keys))
    let event = Delivery(key: key, entry: Entry(numbers))
    switch numbers.below(56) {
    case 0..<18: cast.note("send \(event): \(rows.send(event))")
    case 18, 19: cast.note("send \(event) twice: \(rows.send(contentsOf: [event, event]))")
    case 20, 21: rows.put(Shelf(ledger: Ledger(a: numbers.below(6))), for: key)
    case 22..<26: rows.take(key)
    case 26..<34:
      let (name, look) = field(of: rows[key])
      cast.subscribe(look.values, as: "\(name) of \(key)")
    case 34..<41:
      let index = numbers.below(views.count)
      cast.subscribe(views[index].values, as: "view \(index)")
    case 41..<48: cast.cancelAny()
    case 48, 49:
      let index = numbers.below(views.count)
      cast.note("view \(index) is \(views[index].now())")
    case 50, 51:
      let (name, look) = field(of: rows[key])
      cast.note("\(name) of \(key) is \(look.now()), in \(rows[key].current?.ledger.text ?? "nothing")")
    // A subscriber that has left may be counted until its callback is over.
    case 52 where !isInside: cast.note("\(rows.size) rows, \(rows[key].subscriberCount) watch \(key)")
    case 53 where numbers.once(in: 8): cast.note("finish: \(rows.finish())")
    case 54 where numbers.once(in: 8): cast.note("finish now: \(rows.finish(droppingPending: true))")
    default:
      rows.take(key)
      cast.note("back: \(rows.send(event))")
    }
  }

  private func field(of row: AggregateRow<Int, State>) -> (name: String, look: Look) {
    let index = cast.numbers.below(6)
    let look =
      switch index {
      case 0: Look(row.select(\.ledger.a))
      case 1: Look(row.select(\.ledger.pair))
      case 2: Look(row.select(tags))
      case 3: Look(row.select(\.ledger.list).select(first))
      case 4: Look(row.select(always))
      default: Look(row.select(\.ledger.level))
      }
    return ("field \(index)", look)
  }

  /// They are released, which ends them.
  fileprivate func end() {
    cast.act.value = nil
    rows.value = nil
    cast.cancelAll()
  }
}

extension Shelves<Willing> {
  static func run(_ numbers: Numbers, _ transcript: Transcript) async {
    if numbers.once(in: 2) {
      let program = Shelves<Picky>(numbers, transcript)
      program.run()
      program.end()
    } else {
      let program = Shelves(numbers, transcript)
      program.run()
      program.end()
    }
  }
}
