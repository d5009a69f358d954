import RASPCommands
import RASPInsight
import RASPServices
import RASPSupport
import RASPTesting
import Streams
import TestSupport
import Testing

/// What a command, an event or an action of a random program carries by hand: what has brought it about.
private struct Mark: Sendable, Hashable {
  static let elsewhere = -1

  let id: Int
  /// The id of what has caused it, or `Mark.elsewhere`; `nil` if it comes from outside.
  let cause: Int?
  /// Is `true` if a task has been started on the way, which may have lost the cause.
  var mayBeLost = false
  /// The number of generations that may follow.
  let depth: Int
}

private struct Now: Command {
  typealias Output = Mark
  let mark: Mark
}

private struct Later: Command {
  typealias Output = Mark
  let mark: Mark
}

private struct Counted: Action {
  let mark: Mark
}

private struct Handled: Action {
  let mark: Mark
}

/// Recorded engines and a recorded cluster that bring each other to work, in ways that chance chose.
private final class Activity: Sendable {
  private enum Way: CaseIterable {
    case now, later, value, counted, handled, fact
  }

  let engines = [Engine(), Engine()]
  let recorders: [OccurrenceTape]
  private let ids = Counter()
  private let pending = Counter()
  private let tokens = SubscriptionBag()
  /// What is brought about by a mark with this id: the ways of its children.
  private let ways: [[Way]]
  private let cluster = Lock<Cluster?>(nil)

  init(_ random: inout SplitMix) {
    ways = (0..<16).map { _ in
      (0..<Int.random(in: 0...2, using: &random)).map { _ in Way.allCases.randomElement(using: &random) ?? .now }
    }
    let clock = TapeClock(.suspending)
    recorders = engines.map { $0.record(as: "engine", last: 100_000, clock: clock) }
    for (index, engine) in engines.enumerated() {
      let other = engines[1 - index]
      _ = try? engine.use(
        Now.self,
        synchronously: { [unowned self] command, publish in
          self.bringAbout(by: command.mark, on: other)
          if command.mark.id.isMultiple(of: 7) { publish(data: self.result(of: command.mark)) }
          if command.mark.id.isMultiple(of: 5) { throw TestError(code: command.mark.id) }
          return self.result(of: command.mark)
        }
      )
      _ = try? engine.use(Later.self) { [unowned self] command, _ in
        await Task.yield()
        self.bringAbout(by: command.mark, on: other)
        return self.result(of: command.mark)
      }
      tokens.insert(engine.react(to: Now.self, consume: { [unowned self] in self.bringAbout(by: $0, on: engine) }))
      tokens.insert(engine.react(to: Later.self, consume: { [unowned self] in self.bringAbout(by: $0, on: other) }))
    }
  }

  private func result(of mark: Mark) -> Mark { child(of: mark) }

  private func child(of mark: Mark) -> Mark {
    Mark(id: ids.increment(), cause: mark.id, depth: mark.depth - 1)
  }

  func root(isCaused: Bool) -> Mark {
    Mark(id: ids.increment(), cause: isCaused ? Mark.elsewhere : nil, depth: 4)
  }

  /// Does what a mark brings about, inside its delivery or in its task.
  func bringAbout(by mark: Mark, on engine: Engine) {
    guard mark.depth > 0 else { return }
    for way in ways[mark.id % ways.count] {
      let child = child(of: mark)
      switch way {
      case .now: engine.execute(Now(mark: child))
      case .later:
        let execution = engine.execute(Later(mark: child))
        inTask(child) { _ in _ = await execution.wait() }
      case .value:
        inTask(child) { _ = try? await engine.value(of: Now(mark: $0)) }
      case .counted:
        inTask(child) { [self] in _ = try? await cluster.withLock { $0 }?.send(action: Counted(mark: $0)) }
      case .handled:
        let cause = Cause.current
        inTask(child) { [self] mark in
          await cause.perform { _ = try? await cluster.withLock { $0 }?.send(action: Handled(mark: mark)) }
        }
      case .fact: engine.publish(CommandEvent<Now>.data(child))
      }
    }
  }

  /// A task that a delivery starts begins anew, if its task has no cause, and otherwise has that of the delivery.
  private func inTask(_ mark: Mark, _ body: @escaping @Sendable (Mark) async -> Void) {
    pending.increment()
    Task {
      var mark = mark
      mark.mayBeLost = true
      await body(mark)
      pending.decrement()
    }
  }

  func makeCluster() async throws -> Cluster {
    let cluster = try await Bootstrap {
      Store(model: Int.self)
        .mutate(on: Counted.self) { [unowned self] count, action in
          count += 1
          self.bringAbout(by: action.mark, on: self.engines[0])
        }
        .with(model: 0)
      On(Handled.self) { [unowned self] action, send in
        await Task.yield()
        self.bringAbout(by: action.mark, on: self.engines[1])
        if action.mark.depth > 0 { try await send(Counted(mark: self.child(of: action.mark))) }
      }
    }
    self.cluster.exchange(with: cluster)
    return cluster
  }

  func settle() async -> Bool {
    let isSettled = await eventually { self.pending.value == 0 }
    cluster.exchange(with: nil)
    tokens.cancel()
    return isSettled
  }

  /// Compares what the library has carried with what was carried by hand.
  func check(_ tapes: [OccurrenceTape], _ seed: UInt64) {
    let lanes = tapes.map { tape in (tape.lane, tape.occurrences) }
    var identities = [Mark.elsewhere: elsewhere]
    for (lane, occurrences) in lanes {
      for occurrence in occurrences {
        guard let mark = mark(of: occurrence.subject) else { continue }
        identities[mark.id] = Cause(lane: lane, number: occurrence.number)
      }
    }
    for (lane, occurrences) in lanes {
      #expect(occurrences.map(\.number) == Array(1..<occurrences.count + 1), "seed \(seed)")
      for occurrence in occurrences {
        let mark = mark(of: occurrence.subject)
        // The error of a command is an event of its execution.
        let failed = (occurrence.subject as? CommandEvent<Now>)?.error as? TestError
        let expected = (failed?.code ?? mark?.cause).flatMap { identities[$0] } ?? .unknown
        let isLost = mark?.mayBeLost == true && occurrence.cause == .unknown
        #expect(occurrence.cause == expected || isLost, "seed \(seed), lane \(lane): \(occurrence)")
        if occurrence.kind == .event {
          #expect(occurrence.end == nil, "seed \(seed), lane \(lane): \(occurrence)")
        } else {
          let shouldFail = occurrence.subject is Now && mark?.id.isMultiple(of: 5) == true
          let isExpected =
            switch occurrence.end?.outcome {
            case .handled?: !shouldFail
            case .failed?: shouldFail
            case .stopped?, nil: false
            }
          #expect(isExpected, "seed \(seed), lane \(lane): \(occurrence)")
        }
      }
    }
  }
}

/// The mark that an occurrence carries.
private func mark(of subject: any Sendable) -> Mark? {
  switch subject {
  case let subject as Now: subject.mark
  case let subject as Later: subject.mark
  case let subject as Counted: subject.mark
  case let subject as Handled: subject.mark
  case let subject as CommandEvent<Now>: subject.output
  case let subject as CommandEvent<Later>: subject.output
  default: nil
  }
}

@Suite(.endsInTime) struct RandomActivityTests {
  @Test func theCausesOfRecordedEnginesAndClustersAreThoseThatWereCarriedByHand() async throws {
    for seed in 1...UInt64(rounds(200)) {
      var random = SplitMix(seed: seed)
      let activity = Activity(&random)
      let cluster = try await activity.makeCluster()
      let actions = cluster.record(as: "cluster", last: 100_000, clock: TapeClock(.suspending))
      let tapes = activity.recorders + [actions]
      async let sent: Void = elsewhere.perform {
        for _ in 0..<4 { try? await cluster.send(action: Counted(mark: activity.root(isCaused: true))) }
        for _ in 0..<4 { try? await cluster.send(action: Handled(mark: activity.root(isCaused: true))) }
      }
      await Threads.run(count: 4) { thread in
        for index in 0..<6 {
          let engine = activity.engines[index % 2]
          switch thread {
          case 0: for tape in tapes { _ = tape.occurrences }
          case 1: elsewhere.perform { _ = engine.execute(Now(mark: activity.root(isCaused: true))) }
          default: engine.execute(Now(mark: activity.root(isCaused: false)))
          }
        }
      }
      await sent
      #expect(await activity.settle())
      activity.check(tapes, seed)
      for (engine, tape) in zip(activity.engines, activity.recorders) { engine.endRecording(onto: tape) }
      cluster.endRecording(onto: actions)
      await cluster.shutdown()
    }
  }
}
