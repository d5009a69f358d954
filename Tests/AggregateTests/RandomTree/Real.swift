import Aggregate
import AggregateTestSupport
import Streams
import TestSupport

extension RandomTree {
  final class Real<Manner: Mode>: Sendable {
    let program: Program
    let noted = Log<Noted>()
    let aggregator = Aggregator(initial: Rig<Manner>())
    private let catalogue = Catalogue<Manner>()
    private let held = Lock<[Subscription]>([])
    private let count = Counter()
    private let calls = Counter()

    init(_ program: Program) {
      self.program = program
      perform(program.outside)
    }

    func perform(_ steps: [Step]) {
      for step in steps {
        switch step {
        case .send(let event): noted.note(.answer(aggregator.send(event)))
        case .several(let events): noted.note(.answer(aggregator.send(contentsOf: events)))
        case .select(let index):
          subscribe(catalogue.selection(index, of: aggregator).observable) { .field($0, subscriber: $1) }
        case .states: subscribe(aggregator.states) { .state($0.fields, subscriber: $1) }
        case .events: subscribe(aggregator.events) { .event($0, subscriber: $1) }
        case .cancel(let index):
          held.withLock { $0.isEmpty ? nil : $0[index % $0.count] }?.cancel()
        case .read(let index): noted.note(.current(catalogue.selection(index, of: aggregator).current))
        case .finish: noted.note(.answer(aggregator.finish()))
        }
      }
    }

    func subscribe<Element: Sendable>(
      _ stream: Observable<Element, Never>,
      _ entry: @escaping @Sendable (Element, Int) -> Noted
    ) {
      let number = count.increment() - 1
      let token = stream.subscribe { [unowned self] element in
        noted.note(entry(element, number))
        perform(program.inside[calls.increment() - 1] ?? [])
      } onEnd: { [unowned self] _ in
        noted.note(.end(subscriber: number))
      }
      held.withLock { $0.append(token) }
    }

    func tearDown() {
      for token in held.exchange(with: []) { token.cancel() }
    }
  }
}
