import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

/// What the state holds, and how an event changes it, for the aggregator and for the reference.
private struct Fields: Sendable, Equatable {
  struct Pair: Sendable, Equatable {
    var x = 0
    var y = 0
  }

  struct Opaque: Sendable {
    var sum = 0
  }

  var a = 0
  var b = 0
  var list = [0, 0, 0]
  var pair = Pair()
}

private enum Event: Sendable, Equatable {
  case a(Int)
  case b(Int)
  case list(Int, Int)
  case x(Int)
  case y(Int)
  case nothing
  /// Changes something, and is then refused by a state that can refuse.
  case refuse(Int)

  func apply(to fields: inout Fields) {
    switch self {
    case .a(let value), .refuse(let value): fields.a = value
    case .b(let value): fields.b = value
    case .list(let index, let value): fields.list[index] = value
    case .x(let value): fields.pair.x = value
    case .y(let value): fields.pair.y = value
    case .nothing: break
    }
  }
}

/// Whether the state can refuse.
private protocol Mode: Sendable {
  associatedtype Refusal: Error
  static var refuses: Bool { get }
  static func refuse() throws(Refusal)
}

private enum Willing: Mode {
  static var refuses: Bool { false }
  static func refuse() throws(Never) {}
}

private enum Picky: Mode {
  static var refuses: Bool { true }
  static func refuse() throws(TestError) { throw TestError() }
}

private struct Rig<Manner: Mode>: AggregateState {
  var fields = Fields()

  mutating func apply(_ event: Event) throws(Manner.Refusal) {
    event.apply(to: &fields)
    if case .refuse = event { try Manner.refuse() }
  }
}

// MARK: What is selected

/// What is on the way from the state to a selected number.
private enum Part: Sendable {
  case fields(Fields)
  case pair(Fields.Pair)
  case list([Int])
  case opaque(Int)
  case number(Int)

  var fields: Fields { if case .fields(let fields) = self { fields } else { fatalError() } }
  var pair: Fields.Pair { if case .pair(let pair) = self { pair } else { fatalError() } }
  var list: [Int] { if case .list(let list) = self { list } else { fatalError() } }
  var opaque: Int { if case .opaque(let sum) = self { sum } else { fatalError() } }
  var number: Int { if case .number(let number) = self { number } else { fatalError() } }
}

/// One selection in the tree, as the reference sees it.
private struct Link: Sendable {
  let name: String
  /// What an appended selector reads first, and when that is as it was.
  var outer: (read: @Sendable (Part) -> Part, isSame: @Sendable (Part, Part) -> Bool)?
  let read: @Sendable (Part) -> Part
  let isSame: @Sendable (Part, Part) -> Bool

  func value(of part: Part) -> Part { read(outer?.read(part) ?? part) }
}

private func number(
  _ name: String,
  isSame: @escaping @Sendable (Int, Int) -> Bool = { $0 == $1 },
  _ read: @escaping @Sendable (Part) -> Int
) -> Link {
  Link(name: name, read: { .number(read($0)) }, isSame: { isSame($0.number, $1.number) })
}

private let pairLink = Link(name: "pair", read: { .pair($0.fields.pair) }, isSame: { $0.pair == $1.pair })

private let coarsePairLink = Link(
  name: "coarse pair",
  read: { .pair($0.fields.pair) },
  isSame: { abs($0.pair.x - $1.pair.x) < 3 }
)

/// The same selections, for the reference and as they really are. What is made from a closure is made once for each program,
/// so that its subscribers share it; what is made from key paths is made anew for each subscription.
private struct Catalogue<Manner: Mode>: Sendable {
  typealias State = Rig<Manner>

  let a = StateSelector(\State.fields.a)
  let coarseA = StateSelector(\State.fields.a, by: { abs($0 - $1) < 3 })
  let count = StateSelector { (state: State) in state.fields.list.filter { $0 > 2 }.count }
  let sum = StateSelector { (state: State) in state.fields.list.reduce(0, +) }
  let coarsePair = StateSelector(\State.fields.pair, by: { abs($0.x - $1.x) < 3 })
  let opaque = StateSelector<State, Fields.Opaque>({ Fields.Opaque(sum: $0.fields.list.reduce(0, +)) }, by: nil)
  let half = StateSelector { (pair: Fields.Pair) in pair.x / 2 }
  let parity = StateSelector { (number: Int) in number & 1 }
  let halfOfPair: StateSelector<State, Int>
  let yOfCoarsePair: StateSelector<State, Int>
  let combined: StateSelector<State, Int>
  let combinedTwice: StateSelector<State, Int>

  init() {
    halfOfPair = StateSelector(\State.fields.pair).appending(half)
    yOfCoarsePair = coarsePair.appending { $0.y }
    combined = StateSelector(combining: a, sum) { $0 * 10 + $1 }
    combinedTwice = StateSelector(combining: combined, halfOfPair) { ($0 + $1) / 3 }
  }

  static var links: [[Link]] {
    let sum: @Sendable (Part) -> Int = { $0.fields.list.reduce(0, +) }
    let half: @Sendable (Part) -> Int = { $0.pair.x / 2 }
    let combined: @Sendable (Part) -> Int = { $0.fields.a * 10 + sum($0) }
    return [
      [number("a") { $0.fields.a }],
      [number("coarse a", isSame: { abs($0 - $1) < 3 }) { $0.fields.a }],
      [number("count") { $0.fields.list.filter { $0 > 2 }.count }],
      [pairLink, number("x") { $0.pair.x }],
      [pairLink, number("half", half)],
      [coarsePairLink, number("y") { $0.pair.y }],
      [
        Link(name: "opaque", read: { .opaque(sum($0)) }, isSame: { _, _ in false }),
        number("opaque sum") { $0.opaque },
      ],
      [number("half of pair") { $0.fields.pair.x / 2 }],
      [
        Link(
          name: "y of coarse pair",
          outer: ({ .pair($0.fields.pair) }, { abs($0.pair.x - $1.pair.x) < 3 }),
          read: { .number($0.pair.y) },
          isSame: { $0.number == $1.number }
        )
      ],
      [number("combined", combined)],
      [number("combined", combined), number("parity") { $0.number & 1 }],
      [number("combined twice") { (combined($0) + $0.fields.pair.x / 2) / 3 }],
      [number("a") { $0.fields.a }, number("parity") { $0.number & 1 }],
      [
        Link(name: "list", read: { .list($0.fields.list) }, isSame: { $0.list == $1.list }),
        number("first") { $0.list[0] },
      ],
    ]
  }

  func selection(_ index: Int, of aggregator: Aggregator<State>) -> Selection<Int> {
    switch index {
    case 0: aggregator.select(\.fields.a)
    case 1: aggregator.select(coarseA)
    case 2: aggregator.select(count)
    case 3: aggregator.select(\.fields.pair).select(\.x)
    case 4: aggregator.select(\.fields.pair).select(half)
    case 5: aggregator.select(coarsePair).select(\.y)
    case 6: aggregator.select(opaque).select(\.sum)
    case 7: aggregator.select(halfOfPair)
    case 8: aggregator.select(yOfCoarsePair)
    case 9: aggregator.select(combined)
    case 10: aggregator.select(combined).select(parity)
    case 11: aggregator.select(combinedTwice)
    case 12: aggregator.select(\.fields.a).select(parity)
    default: aggregator.select(\.fields.list).select(\.[0])
    }
  }
}

// MARK: Programs

private enum Step: Sendable {
  case send(Event)
  case several([Event])
  /// Subscribes to a selection of the catalogue, to all states or to all events.
  case select(Int)
  case states
  case events
  /// Cancels one of those that have been subscribed, by its index among them.
  case cancel(Int)
  case read(Int)
  case finish
}

private enum Noted: Equatable, Sendable {
  case field(Int, subscriber: Int)
  case state(Fields, subscriber: Int)
  case event(Event, subscriber: Int)
  case end(subscriber: Int)
  case current(Int)
  case answer(Bool)
}

private struct Program: Sendable {
  static let selectionCount = 14

  var outside: [Step] = []
  /// What is done inside the call with this number, counted over all subscribers.
  var inside: [Int: [Step]] = [:]

  init(seed: UInt64) {
    var numbers = SplitMix(seed: seed)
    func event() -> Event {
      let value = Int.random(in: 0...5, using: &numbers)
      switch Int.random(in: 0..<12, using: &numbers) {
      case 0..<3: return .a(value)
      case 3: return .b(value)
      case 4..<6: return .list(Int.random(in: 0..<3, using: &numbers), value)
      case 6..<8: return .x(value)
      case 8..<10: return .y(value)
      case 10: return .nothing
      default: return .refuse(value)
      }
    }
    func step() -> Step {
      switch Int.random(in: 0..<40, using: &numbers) {
      case 0..<14: return .send(event())
      case 14: return .several((0..<Int.random(in: 0...3, using: &numbers)).map { _ in event() })
      case 15..<26: return .select(Int.random(in: 0..<Program.selectionCount, using: &numbers))
      case 26: return .states
      case 27: return .events
      case 28..<36: return .cancel(Int.random(in: 0..<1000, using: &numbers))
      case 36..<39: return .read(Int.random(in: 0..<Program.selectionCount, using: &numbers))
      default: return Int.random(in: 0..<4, using: &numbers) == 0 ? .finish : .send(event())
      }
    }
    outside = (0..<Int.random(in: 1...40, using: &numbers)).map { _ in step() }
    for _ in 0..<Int.random(in: 0...12, using: &numbers) {
      inside[Int.random(in: 0..<60, using: &numbers)] = (0..<Int.random(in: 1...4, using: &numbers)).map { _ in step() }
    }
  }
}

// MARK: The reference

private final class Model {
  enum Topic {
    case selection(Int)
    case states
    case events
  }

  final class Subscriber {
    let number: Int
    let topic: Topic
    var isActive = true
    var isAdmitted = false

    init(_ number: Int, _ topic: Topic) {
      self.number = number
      self.topic = topic
    }
  }

  struct Node {
    var field: Part
    var outer: Part?
  }

  let program: Program
  let refuses: Bool
  let links: [[Link]]
  var fields = Fields()
  var nodes: [[String]: Node] = [:]
  /// Those in the tree, in the order in which they came.
  var admitted: [Subscriber] = []
  /// Those whose tokens the program has.
  var held: [Subscriber] = []
  var count = 0
  var calls = 0
  var isClosed = false
  var hasEnded = false
  var isOwned = false
  var line: [() -> Void] = []
  var noted: [Noted] = []

  init(_ program: Program, refuses: Bool, links: [[Link]]) {
    self.program = program
    self.refuses = refuses
    self.links = links
    perform(program.outside)
  }

  func perform(_ steps: [Step]) {
    for step in steps {
      switch step {
      case .send(let event):
        let accepted = !isClosed
        if accepted { submit([{ self.fold(event) }]) }
        noted.append(.answer(accepted))
      case .several(let events):
        let accepted = !isClosed
        if accepted { submit(events.map { event in { self.fold(event) } }) }
        noted.append(.answer(accepted))
      case .select(let index): subscribe(.selection(index))
      case .states: subscribe(.states)
      case .events: subscribe(.events)
      case .cancel(let index): if !held.isEmpty { cancel(held[index % held.count]) }
      case .read(let index): noted.append(.current(current(index)))
      case .finish:
        let accepted = !isClosed
        isClosed = true
        if accepted { submit([finish]) }
        noted.append(.answer(accepted))
      }
    }
  }

  func submit(_ work: [() -> Void]) {
    line += work
    guard !isOwned else { return }
    isOwned = true
    while !line.isEmpty { line.removeFirst()() }
    isOwned = false
  }

  func call(_ subscriber: Subscriber, _ entry: Noted) {
    guard subscriber.isActive else { return }
    noted.append(entry)
    let call = calls
    calls += 1
    perform(program.inside[call] ?? [])
  }

  func current(_ index: Int) -> Int {
    links[index].reduce(Part.fields(fields)) { $1.value(of: $0) }.number
  }

  func subscribe(_ topic: Topic) {
    let subscriber = Subscriber(count, topic)
    count += 1
    submit([{ self.admit(subscriber) }])
    held.append(subscriber)
  }

  func admit(_ subscriber: Subscriber) {
    if !hasEnded {
      guard subscriber.isActive else { return }
      if case .selection(let index) = subscriber.topic { makeNodes(index) }
      admitted.append(subscriber)
      subscriber.isAdmitted = true
    }
    switch subscriber.topic {
    case .selection(let index): call(subscriber, .field(current(index), subscriber: subscriber.number))
    case .states: call(subscriber, .state(fields, subscriber: subscriber.number))
    case .events: break
    }
    if hasEnded { end(subscriber) }
  }

  func end(_ subscriber: Subscriber) {
    guard subscriber.isActive else { return }
    subscriber.isActive = false
    noted.append(.end(subscriber: subscriber.number))
  }

  func makeNodes(_ index: Int) {
    var path: [String] = []
    var part = Part.fields(fields)
    for link in links[index] {
      path.append(link.name)
      if nodes[path] == nil { nodes[path] = Node(field: link.value(of: part), outer: link.outer?.read(part)) }
      part = node(path).field
    }
  }

  func cancel(_ subscriber: Subscriber) {
    guard subscriber.isActive else { return }
    subscriber.isActive = false
    guard subscriber.isAdmitted else { return }
    // Taking it out is a job like any other; only it never delivers, which makes no difference to a thread alone.
    submit([
      {
        self.admitted.removeAll { $0 === subscriber }
        let needed = Set(self.admitted.flatMap { self.paths(of: $0) })
        self.nodes = self.nodes.filter { needed.contains($0.key) }
      }
    ])
  }

  func paths(of subscriber: Subscriber) -> [[String]] {
    guard case .selection(let index) = subscriber.topic else { return [] }
    let names = links[index].map(\.name)
    return (1...names.count).map { Array(names.prefix($0)) }
  }

  func fold(_ event: Event) {
    var isRefused = false
    if case .refuse = event { isRefused = refuses }
    if !isRefused { event.apply(to: &fields) }
    var changed: Set<[String]> = []
    if !isRefused {
      for path in nodes.keys.sorted(by: { $0.count < $1.count }) {
        if path.count > 1, !changed.contains(path.dropLast()) { continue }
        if update(path) { changed.insert(path) }
      }
    }
    let told = admitted
    for subscriber in told {
      switch subscriber.topic {
      case .events: call(subscriber, .event(event, subscriber: subscriber.number))
      case .states: if !isRefused { call(subscriber, .state(fields, subscriber: subscriber.number)) }
      case .selection:
        guard let path = paths(of: subscriber).last, changed.contains(path) else { continue }
        call(subscriber, .field(node(path).field.number, subscriber: subscriber.number))
      }
    }
  }

  func node(_ path: [String]) -> Node {
    guard let node = nodes[path] else { preconditionFailure("The reference has lost \(path).") }
    return node
  }

  func update(_ path: [String]) -> Bool {
    guard let link = links.first(where: { $0.map(\.name).starts(with: path) })?[path.count - 1] else { return false }
    let part = path.count > 1 ? node(path.dropLast()).field : Part.fields(fields)
    var node = node(path)
    defer { nodes[path] = node }
    if let outer = link.outer {
      let new = outer.read(part)
      if let old = node.outer, outer.isSame(old, new) { return false }
      node.outer = new
    }
    let new = link.value(of: part)
    if link.isSame(node.field, new) { return false }
    node.field = new
    return true
  }

  func finish() {
    hasEnded = true
    for subscriber in admitted { end(subscriber) }
  }
}

// MARK: The real thing

private final class Real<Manner: Mode>: Sendable {
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

@Suite("The tree of selections: random programs")
struct RandomTreeTests {
  private func run<Manner: Mode>(_ manner: Manner.Type) {
    let links = Catalogue<Manner>.links
    for seed in 0..<UInt64(rounds(50_000)) {
      let program = Program(seed: seed)
      let model = Model(program, refuses: Manner.refuses, links: links)
      let real = Real<Manner>(program)
      let noted = real.noted.entries
      if noted != model.noted {
        let index =
          zip(noted, model.noted).enumerated().first { $1.0 != $1.1 }?.offset ?? min(noted.count, model.noted.count)
        Issue.record(
          """
          seed \(seed), entry \(index)
          real  \(noted.dropFirst(index).prefix(3))
          model \(model.noted.dropFirst(index).prefix(3))
          """
        )
        return
      }
      #expect(real.aggregator.snapshot.fields == model.fields, "seed \(seed)")
      real.tearDown()
    }
  }

  @Test("A state that is changed in place: every subscriber hears what the plain reference says, in the same order")
  func inPlace() { run(Willing.self) }

  @Test("A state that may refuse: the same")
  func refusing() { run(Picky.self) }

  @Test("Many subscribers leave in any order, from outside and from inside rounds; those who stay hear everything")
  func leaving() {
    for seed in 0..<UInt64(rounds(2_000)) {
      var numbers = SplitMix(seed: seed)
      let aggregator = Aggregator(initial: Tally())
      let count = Int.random(in: 1...120, using: &numbers)
      let tokens = Lock<[Int: Subscription]>([:])
      let heard = Lock<[Int]>([])
      // Who leaves when which subscriber is called.
      let plan = Lock<[Int: [Int]]>([:])
      for index in 0..<count {
        let onCount: @Sendable (Int) -> Void = { count in
          guard count > 0 else { return }
          heard.withLock { $0.append(index) }
          for leaving in plan.withLock({ $0.removeValue(forKey: index) }) ?? [] {
            tokens.withLock { $0.removeValue(forKey: leaving) }?.cancel()
          }
        }
        let token =
          index.isMultiple(of: 3)
          ? aggregator.states.subscribe { onCount($0.count) } : aggregator.select(\.count).subscribe(onCount)
        tokens.withLock { $0[index] = token }
      }
      var present = Array(0..<count)
      while !present.isEmpty {
        var planned: [Int: [Int]] = [:]
        for leaving in present where Int.random(in: 0..<4, using: &numbers) == 0 {
          guard let caller = present.randomElement(using: &numbers) else { continue }
          planned[caller, default: []].append(leaving)
        }
        plan.exchange(with: planned)
        var expected: [Int] = []
        var gone: Set<Int> = []
        for index in present where !gone.contains(index) {
          expected.append(index)
          gone.formUnion(planned[index] ?? [])
        }
        heard.exchange(with: [])
        aggregator.send(.add(1))
        #expect(heard.withLock { $0 } == expected, "seed \(seed)")
        present.removeAll { gone.contains($0) }
        if let outside = present.randomElement(using: &numbers) {
          tokens.withLock { $0.removeValue(forKey: outside) }?.cancel()
          present.removeAll { $0 == outside }
        }
      }
      heard.exchange(with: [])
      aggregator.send(.add(1))
      #expect(heard.withLock { $0 }.isEmpty, "seed \(seed)")
    }
  }
}
