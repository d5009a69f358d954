import Aggregate
import RASPCommands
import RASPInsight
import RASPKeyed
import RASPTesting
import Streams

// What these programs say of the package in other words than their own.
private typealias Row = Tally<Picky>
private typealias Rows = KeyedAggregator<Int, Row>

extension Rows {
  fileprivate static func two(on time: VirtualScheduler) -> Rows {
    Rows(by: \.key, initial: { _ in Row() }, options: KeyedOptions(evicting: .beyond(2), on: time))
  }
}

extension RowStep<Int, Row> {
  fileprivate var text: String {
    switch change {
    case .event(let event): "\(key) event \(event)"
    case .first(let event, let row): "\(key) first \(event) of \(row)"
    case .inserted(let row): "\(key) inserted \(row)"
    case .removed(let reason): "\(key) \(reason.rawValue)"
    @unknown default: "\(key)"
    }
  }
}

/// Aggregators, rows and an engine that are recorded and bring each other to work: what is on their tapes and by which
/// causes, and why something is as it is.
struct Tapes: Sendable {
  let numbers: Numbers
  let story: Story
  let time: VirtualScheduler
  private let picky = Aggregator(initial: Tally<Picky>())
  private let willing = Aggregator(initial: Tally<Willing>())
  private let rows: Rows
  private let engine: Engine
  private let later = Subject<Ping, Never>()
  private let tokens = SubscriptionBag()
  /// To whom each of them passes on what it is told, by the value that it is told.
  private let ways: [[Int]]
  /// How often they may do so, so that a program ends.
  private let rest = Box(100)

  private init(_ numbers: Numbers, _ transcript: Transcript) {
    (self.numbers, story, time) = (numbers, Story(transcript: transcript), VirtualScheduler())
    (rows, engine) = (Rows.two(on: time), Engine(scheduler: time))
    ways = numbers.list(16) { numbers.list(numbers.below(3)) { numbers.below(5) } }
  }

  static func run(_ numbers: Numbers, _ transcript: Transcript) async { Tapes(numbers, transcript).run() }

  private func run() {
    let insight = Insight(on: time)
    connect()
    act(numbers.below(10))
    let (room, keepsBase) = (numbers.pick([1, 4, 16, 512]), !numbers.once(in: 6))
    let first = insight.record(picky, as: "picky", last: room, keepingBase: keepsBase)
    let second = numbers.once(in: 4) ? nil : insight.record(willing, as: "willing", last: room)
    act(numbers.below(6))
    let third = insight.record(rows, as: "rows", last: room, keepingBase: keepsBase)
    let fourth = numbers.once(in: 3) ? nil : insight.record(engine, as: "engine", last: room)
    story.name(insight.timeline.lanes)
    act(numbers.within(4...24))
    let number = numbers.within(1...12)
    story.tell(first.recording, number)
    story.tell(third.recording, number, { "\($0.rows.sorted { $0.key < $1.key })" }, \.text)
    if let second { story.tell(second.recording, number) }
    story.tell(insight.timeline)
    for key in 0..<3 {
      guard let row = third.recording(of: key) else { continue }
      story.tell(row, number)
      story.tell(third.why(\.half, of: key))
    }
    for why in [first.why(\.half), first.why(\.newest), first.why(event: number)] { story.tell(why) }
    if let second { story.tell(second.why(StateSelector(\Tally<Willing>.hash, by: { abs($0 - $1) < 100 }))) }
    if let fourth { story.tell(fourth.why(event: number)) }
    tokens.cancel()
    engine.invalidate()
  }

  private func connect() {
    tokens.insert(picky.events.subscribe { pass($0, from: 0) })
    tokens.insert(willing.events.subscribe { pass($0, from: 1) })
    tokens.insert(
      rows.changes.subscribe { change in
        switch change {
        case .inserted(_, let row), .updated(_, let row): pass(Ping(value: row.hash, depth: 2), from: 2)
        case .removed(_, let row, _): pass(Ping(value: row.hash, depth: 1), from: 2)
        }
      }
    )
    tokens.insert(willing.transitions(of: \.half).subscribe { story.tell("half \($0.old) to \($0.new)", by: $0.cause) })
    tokens.insert(engine.react(to: Ask.self, consume: { pass($0.answer(6), from: 1) }))
    engine.errorHandler = { _ in }
    _ = try? engine.use(
      Ask.self,
      synchronously: { command, publish in
        if command.ping.value % 5 == 0 { publish(data: command.ping.answer(5)) }
        pass(command.ping, from: 3)
        if command.ping.value % 11 == 10 { throw Fault(code: 11) }
        return command.ping
      }
    )
    picky.add(later.delay(by: .seconds(1), on: time))
  }

  /// What is done inside of a delivery has it as its cause.
  private func pass(_ ping: Ping, from place: Int) {
    guard ping.depth > 0, rest.next(by: -1) > 0 else { return }
    for way in ways[place * 4 + ping.value % 4] { deliver(ping.answer(way), to: way) }
  }

  private func deliver(_ ping: Ping, to place: Int) {
    switch place {
    case 0: picky.send(ping)
    case 1: willing.send(ping)
    case 2: rows.send(ping)
    case 3: engine.execute(Ask(ping: ping))
    default: later.send(ping)
    }
  }

  private func act(_ count: Int) {
    for number in 0..<count {
      let (ping, place) = (Ping(value: numbers.below(100), depth: numbers.below(4)), numbers.below(5))
      let cause = numbers.once(in: 4) ? Cause(lane: Story.elsewhere, number: number + 1) : .unknown
      cause.perform { deliver(ping, to: place) }
      switch numbers.below(12) {
      case 0, 1: rows.remove(ping.key)
      case 2: rows.insert([ping.key: Row()])
      case 3..<9: time.advance(by: .milliseconds(numbers.below(1_500)))
      default: break
      }
    }
  }
}
