import Aggregate
import AggregateTestSupport
import RASPKeyed
import RASPTesting
import Streams
import TestSupport

extension RandomRows {
  final class Real<Manner: RandomTree.Mode>: Sendable {
    typealias State = Row<Manner>

    let program: Program
    let noted = Log<Noted>()
    let time = VirtualScheduler()
    let aggregator: KeyedAggregator<Int, State>
    private let held = Lock<[Subscription]>([])
    private let count = Counter()
    private let calls = Counter()

    // Made once for each program, so that subscribers share them.
    private let coarsePrice = StateSelector(\State.fields.price, by: { abs($0 - $1) < 3 })
    private let tagCount = StateSelector { (state: State) in state.fields.tags.count }
    private let firstTag = StateSelector { (tags: [Int]?) in tags.map { $0.first ?? 0 } }
    private let opaque = StateSelector<State, Int>({ $0.fields.price }, by: { _, _ in false })
    private let views: [Observable<String, Never>]
    private let highest: RowQuery<[RankedRow<Int, State, Double>]>
    private let dear: RowQuery<Int>
    private let elevated: RowQuery<Set<Int>>

    init(_ program: Program) {
      self.program = program
      aggregator = KeyedAggregator(
        by: \Event.key,
        initial: { _ in State() },
        options: KeyedOptions(evicting: program.eviction, on: time)
      )
      highest = aggregator.ranked(by: { $0.fields.level }, first: 2)
      dear = aggregator.count { $0.fields.price > 2 }
      elevated = aggregator.keys { $0.fields.level > 1 }
      let coarsePrice = coarsePrice
      let tagCount = tagCount
      views = [
        aggregator.each(\.fields.price).map { "\($0.key) \(Double($0.value))" },
        aggregator.each(coarsePrice).map { "\($0.key) \(Double($0.value))" },
        aggregator.each(tagCount).map { "\($0.key) \(Double($0.value))" },
        aggregator.changes.map { change in
          switch change {
          case .inserted(let key, let row): "inserted \(key) \(row.fields.text)"
          case .updated(let key, let row): "updated \(key) \(row.fields.text)"
          case .removed(let key, let row, let reason): "removed \(key) \(row.fields.text) \(reason)"
          }
        },
        aggregator.events.map(\.text),
        highest.observable.map { text($0.map(\.key)) },
        aggregator.ranked(by: { $0.fields.price }, .ascending, first: 3).observable.map { text($0.map(\.key)) },
        dear.observable.map { "\($0)" },
        elevated.observable.map { text($0.sorted()) },
        aggregator.keys.observable.map { text($0.sorted()) },
      ]
      let refusals = aggregator.rejections.subscribe { [noted] in
        noted.note(Noted(subscriber: Noted.refusals, text: $0.event.text))
      }
      perform(program.outside)
      refusals.cancel()
    }

    func perform(_ steps: [Step]) {
      for step in steps {
        switch step {
        case .send(let event): answer("\(aggregator.send(event))")
        case .several(let events): answer("\(aggregator.send(contentsOf: events))")
        case .insert(let key, let price): aggregator.insert([key: State(fields: Fields(price: price))])
        case .remove(let key): aggregator.remove(key)
        case .selectRow(let index, let key): subscribe(selection(index, of: key))
        case .watch(let view): subscribe(views[view.rawValue])
        case .cancel(let index): held.withLock { $0.isEmpty ? nil : $0[index % $0.count] }?.cancel()
        case .read(let kind, let key): answer(read(kind, key))
        case .advance(let count): time.advance(by: Program.period * count)
        case .finish: answer("\(aggregator.finish())")
        }
      }
    }

    private func answer(_ text: String) { noted.note(Noted(subscriber: Noted.program, text: text)) }

    private func selection(_ index: Int, of key: Int) -> Observable<String, Never> {
      let row = aggregator[key]
      func number(_ selection: Selection<Int?>) -> Observable<String, Never> {
        selection.observable.map { text($0.map(Double.init)) }
      }
      return switch index {
      case 0: number(row.select(\.fields.price))
      case 1: number(row.select(coarsePrice))
      case 2: number(row.select(tagCount))
      case 3: number(row.select(\.fields.tags).select(firstTag))
      case 4: number(row.select(opaque))
      default: row.select(\.fields.level).observable.map { text($0) }
      }
    }

    private func read(_ kind: Int, _ key: Int) -> String {
      switch kind {
      case 0: aggregator[key].current?.fields.text ?? "nil"
      case 1: text(aggregator[key].select(\.fields.tags).select(firstTag).current.map(Double.init))
      case 2: "\(aggregator.rowCount)"
      case 3: "\(aggregator[key].subscriberCount)"
      case 4: "\(dear.current)"
      case 5: text(elevated.current.sorted())
      default: text(highest.current.map(\.key))
      }
    }

    private func subscribe(_ stream: Observable<String, Never>) {
      let number = count.increment() - 1
      let token = stream.subscribe { [unowned self] text in
        noted.note(Noted(subscriber: number, text: text))
        perform(program.inside[calls.increment() - 1] ?? [])
      } onEnd: { [unowned self] _ in
        noted.note(Noted(subscriber: number, text: "end"))
      }
      held.withLock { $0.append(token) }
    }

    func tearDown() {
      for token in held.exchange(with: []) { token.cancel() }
    }
  }
}
