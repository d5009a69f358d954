import Aggregate
import RASPCommands
import RASPInsight
import RASPTesting
import Streams
import TestSupport
import Testing

/// An event of a random program. It carries by hand what the library carries: the number of the event that has brought
/// it about.
private struct Token: Sendable, Hashable {
  static let elsewhere = -1

  let id: Int
  let origin: Origin
}

/// What brings an event about, as the program knows it.
private struct Origin: Sendable, Hashable {
  /// The id of an event of a recorded aggregator, or `Token.elsewhere`; `nil` if it comes from outside.
  var cause: Int?
  /// Is `true` if a task has been started on the way, which may have lost the cause.
  var mayBeLost = false
  /// The number of events that may follow.
  var depth: Int
}

private struct Tokens: AggregateState {
  var count = 0

  mutating func apply(_ token: Token) { count += 1 }
}

private struct Carry: Command {
  typealias Output = Void
  let origin: Origin
  let node: Int
}

private struct CarryLater: Command {
  typealias Output = Void
  let origin: Origin
  let node: Int
}

private actor Postman {}

/// A random graph of aggregators, and what stands between them.
private final class Program: Sendable {
  enum Way: CaseIterable {
    case direct, subject, merge, switching, sharing, actor, task, performingTask, delay, debounce, throttle, buffer
    case command, waitingCommand, kept
  }

  struct Node: Sendable {
    let aggregator: Aggregator<Tokens>
    let recorder: FlightRecorder<Tokens>?
  }

  let nodes: [Node]
  let time = VirtualScheduler()
  private let engine = Engine()
  private let ids = Counter()
  /// The steps that tasks are still to do.
  private let pending = Counter()
  private let postman = Postman()
  /// Two subjects that many edges share, so that threads meet in them.
  private let shared = [Subject<(Origin, Int), Never>(), Subject<(Origin, Int), Never>()]
  private let tokens = SubscriptionBag()

  init(_ random: inout SplitMix) {
    let insight = Insight()
    nodes = (0..<Int.random(in: 2...5, using: &random)).map { index in
      let aggregator = Aggregator(initial: Tokens())
      let isRecorded = index == 0 || Int.random(in: 0..<3, using: &random) > 0
      let recorder = isRecorded ? insight.record(aggregator, as: "\(index)", last: 100_000) : nil
      return Node(aggregator: aggregator, recorder: recorder)
    }
    for subject in shared {
      tokens.insert(subject.subscribe { [unowned self] pair in self.deliver(pair.0, to: pair.1) })
    }
    _ = try? engine.use(
      Carry.self,
      synchronously: { [unowned self] command, _ in
        self.deliver(command.origin, to: command.node)
      }
    )
    _ = try? engine.use(CarryLater.self) { [unowned self] command, _ in
      await Task.yield()
      self.deliver(command.origin, to: command.node)
      self.pending.decrement()
    }
    for from in nodes.indices {
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let to = Int.random(in: nodes.indices, using: &random)
        link(from, to, Way.allCases.randomElement(using: &random) ?? .direct, &random)
      }
    }
  }

  func deliver(_ origin: Origin, to node: Int) {
    nodes[node].aggregator.send(Token(id: ids.increment(), origin: origin))
  }

  private func link(_ from: Int, _ to: Int, _ way: Way, _ random: inout SplitMix) {
    let isRecorded = nodes[from].recorder != nil
    let origins = nodes[from].aggregator.events.filter { $0.origin.depth > 0 }.map { token in
      isRecorded
        ? Origin(cause: token.id, depth: token.origin.depth - 1)
        : Origin(cause: token.origin.cause, mayBeLost: token.origin.mayBeLost, depth: token.origin.depth - 1)
    }
    let arrive: @Sendable (Origin) -> Void = { [unowned self] in self.deliver($0, to: to) }
    switch way {
    case .direct: tokens.insert(origins.subscribe(arrive))
    case .subject:
      let subject = shared.randomElement(using: &random) ?? shared[0]
      tokens.insert(origins.subscribe { subject.send(($0, to)) })
    case .merge: tokens.insert(origins.merge(with: Subject<Origin, Never>().observable).subscribe(arrive))
    case .switching: tokens.insert(origins.map { Observable([$0]) }.switchToLatest().subscribe(arrive))
    case .sharing: tokens.insert(origins.share(replaying: 1).subscribe(arrive))
    case .actor:
      let counted = origins.map { [pending] origin in
        pending.increment()
        return origin
      }
      tokens.insert(
        counted.receive(on: postman).subscribe { [pending] _, origin in
          arrive(origin)
          pending.decrement()
        }
      )
    case .task:
      tokens.insert(
        origins.subscribe { [pending] origin in
          pending.increment()
          Task {
            var origin = origin
            origin.mayBeLost = true
            arrive(origin)
            pending.decrement()
          }
        }
      )
    case .performingTask:
      tokens.insert(
        origins.subscribe { [pending] origin in
          pending.increment()
          let cause = Cause.current
          Task {
            await cause.perform {
              await Task.yield()
              arrive(origin)
            }
            pending.decrement()
          }
        }
      )
    case .delay: tokens.insert(origins.delay(by: .seconds(1), on: time).subscribe(arrive))
    case .debounce: tokens.insert(origins.debounce(for: .seconds(1), on: time).subscribe(arrive))
    case .throttle: tokens.insert(origins.throttle(for: .seconds(1), on: time).subscribe(arrive))
    case .buffer:
      tokens.insert(
        origins.buffer(every: .seconds(1), on: time).subscribe { batch in
          guard var origin = batch.first else { return }
          if batch.contains(where: { $0.cause != origin.cause }) { origin.cause = nil }
          origin.mayBeLost = batch.contains(where: \.mayBeLost)
          origin.depth = batch.map(\.depth).min() ?? 0
          arrive(origin)
        }
      )
    case .command: tokens.insert(origins.subscribe { [engine] in engine.execute(Carry(origin: $0, node: to)) })
    case .waitingCommand:
      tokens.insert(
        origins.subscribe { [engine, pending] origin in
          pending.increment()
          engine.execute(CarryLater(origin: origin, node: to))
        }
      )
    case .kept:
      // A newcomer gets what was kept. It is a generation younger than what it comes with, so that a program ends.
      let kept = Subject<Origin, Never>(replaying: 1)
      tokens.insert(origins.subscribe { kept.send($0) })
      tokens.insert(
        nodes[from].aggregator.events.filter { $0.id.isMultiple(of: 5) && $0.origin.depth > 0 }.subscribe {
          [tokens] token in
          tokens.insert(
            kept.prefix(1).subscribe { origin in
              var origin = origin
              origin.depth = min(origin.depth, token.origin.depth - 1)
              arrive(origin)
            }
          )
        }
      )
    }
  }

  /// Runs tasks and timers until nothing is left to be done.
  func settle() async -> Bool {
    await eventually { pending.value == 0 && time.run() && pending.value == 0 }
  }

  /// Compares what the library has carried with what was carried by hand.
  func check(_ seed: UInt64) {
    let recordings = nodes.compactMap { $0.recorder?.recording }
    var identities = [Token.elsewhere: elsewhere]
    for recording in recordings {
      for entry in recording.entries { identities[entry.event.id] = recording.cause(of: entry) }
    }
    for recording in recordings {
      for entry in recording.entries {
        let origin = entry.event.origin
        let expected = origin.cause.flatMap { identities[$0] } ?? .unknown
        #expect(
          entry.cause == expected || (origin.mayBeLost && entry.cause == .unknown),
          "seed \(seed): event \(entry.event) of \(recording.name)"
        )
      }
    }
    tokens.cancel()
  }
}

@Suite(.endsInTime) struct RandomCauseTests {
  @Test func theCausesOfRandomProgramsAreThoseThatWereCarriedByHand() async {
    for seed in 1...UInt64(rounds(200)) {
      var random = SplitMix(seed: seed)
      let program = Program(&random)
      let count = program.nodes.count
      let roots = (0..<3).map { _ in
        (0..<8).map { _ in (Int.random(in: 0..<count, using: &random), Bool.random(using: &random)) }
      }
      async let task: Void = elsewhere.perform {
        for index in 0..<8 {
          program.deliver(Origin(cause: Token.elsewhere, depth: 4), to: index % count)
          await Task.yield()
        }
      }
      await Threads.run(count: 4) { thread in
        guard thread < roots.count else {
          for _ in 0..<8 {
            // It moves time with a cause of its own, and looks.
            elsewhere.perform { program.time.advance(by: .seconds(1)) }
            for node in program.nodes { _ = node.recorder?.recording }
          }
          return
        }
        for (node, isCaused) in roots[thread] {
          if isCaused {
            elsewhere.perform { program.deliver(Origin(cause: Token.elsewhere, depth: 4), to: node) }
          } else {
            program.deliver(Origin(cause: nil, depth: 4), to: node)
          }
        }
      }
      await task
      #expect(await program.settle())
      program.check(seed)
    }
  }
}
