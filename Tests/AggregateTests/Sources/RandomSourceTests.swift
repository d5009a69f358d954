import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import Synchronization
import TestSupport
import Testing

/// Programs of events that send, add, remove and replace while they are delivered, so that events of several sources
/// wait in the line when sources are removed. A plain interpreter of the line says what must be folded.
@Suite("Sources, random programs")
struct RandomSourceTests {
  /// What the delivery of one event does.
  private enum Action: Sendable {
    case send(subject: Int, event: Int)
    case sendByHand(event: Int)
    case add(subject: Int)
    case remove(subject: Int)
    case replace(subjects: [Int])
  }

  private struct Program: Sendable {
    static let subjects = 4
    /// The actions of each event, which is an index of this array. What they send has a larger number.
    var actions: [[Action]] = []
    /// What is sent from outside, one after the other.
    var outer: [Int] = []

    init(seed: UInt64) {
      var random = SplitMix(seed: seed)
      let count = Int.random(in: 2...24, using: &random)
      for event in 0..<count {
        actions.append(
          (0..<Int.random(in: 0...4, using: &random)).map { _ in
            let subject = Int.random(in: 0..<Self.subjects, using: &random)
            let next = Int.random(in: event + 1...count, using: &random)
            return switch Int.random(in: 0..<10, using: &random) {
            case 0..<5 where next < count: .send(subject: subject, event: next)
            case 5 where next < count: .sendByHand(event: next)
            case 6, 7: .add(subject: subject)
            case 8: .remove(subject: subject)
            default: .replace(subjects: (0..<Self.subjects).filter { _ in Bool.random(using: &random) })
            }
          }
        )
      }
      outer = (0..<count).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
    }
  }

  /// The line and the sources, as plain arrays.
  private struct Model {
    var members: [Int?] = Array(repeating: nil, count: Program.subjects)
    var made = 0
    var removed: Set<Int> = []
    var line: [(event: Int, source: Int?)] = []
    var folded: [Int] = []

    mutating func remove(_ subject: Int) {
      guard let source = members[subject] else { return }
      removed.insert(source)
      members[subject] = nil
    }

    mutating func add(_ subject: Int) {
      guard members[subject] == nil else { return }
      made += 1
      members[subject] = made
    }

    mutating func run(_ program: Program) {
      for event in program.outer {
        line.append((event, nil))
        while !line.isEmpty, folded.count < RandomSourceTests.limit {
          let (event, source) = line.removeFirst()
          if let source, removed.contains(source) { continue }
          folded.append(event)
          for action in program.actions[event] {
            switch action {
            case .send(let subject, let event): if let source = members[subject] { line.append((event, source)) }
            case .sendByHand(let event): line.append((event, nil))
            case .add(let subject): add(subject)
            case .remove(let subject): remove(subject)
            case .replace(let subjects):
              for subject in 0..<Program.subjects { remove(subject) }
              for subject in subjects { add(subject) }
            }
          }
        }
      }
    }
  }

  /// Actions send events of larger numbers only, so every program ends; this is where one is not worth following.
  private static let limit = 2_000

  private final class Sources: Sendable {
    let subjects = (0..<Program.subjects).map { _ in Subject<Int, Never>() }
    private let members = Mutex<[SourceID?]>(Array(repeating: nil, count: Program.subjects))

    func perform(_ action: Action, on aggregator: Aggregator<Journal>) {
      switch action {
      case .send(let subject, let event): subjects[subject].send(event)
      case .sendByHand(let event): aggregator.send(event)
      case .add(let subject):
        guard members.withLock({ $0[subject] }) == nil else { return }
        let id = aggregator.add(subjects[subject].observable)
        members.withLock { $0[subject] = id }
      case .remove(let subject):
        guard let id = members.withLock({ $0[subject].take() }) else { return }
        #expect(aggregator.remove(source: id))
      case .replace(let subjects):
        for subject in 0..<Program.subjects { perform(.remove(subject: subject), on: aggregator) }
        for subject in subjects { perform(.add(subject: subject), on: aggregator) }
      }
    }
  }

  @Test("AGG-20: a removed source's events in the line are dropped, and those of all others are folded in their order")
  func programs() throws {
    for seed in 0..<UInt64(rounds(20_000)) {
      let program = Program(seed: seed)
      var model = Model()
      model.run(program)
      guard model.folded.count < Self.limit else { continue }

      let aggregator = Aggregator(initial: Journal())
      let sources = Sources()
      let subscription = aggregator.events.subscribe { event in
        for action in program.actions[event] { sources.perform(action, on: aggregator) }
      }
      for event in program.outer { aggregator.send(event) }

      let folded = aggregator.snapshot.entries
      if folded != model.folded {
        Issue.record("seed \(seed): \(folded) instead of \(model.folded)")
        return
      }
      subscription.cancel()
    }
  }
}
