import RASPServices
import Streams

private struct Switch: Action {
  let number: Int
  let lamp: Int?
  let rest: Duration
}

// What these programs say of the package in other words than their own.
extension Service {
  fileprivate func fed(by stream: Observable<Switch, Fault>, atBootstrap: Bool = false) -> some Service {
    emit(using: stream.values(buffering: .unbounded), consumeAtBootstrap: atBootstrap)
  }
}

/// A cluster that is fed by streams in virtual time, and effects that overlap, take too long and fail: when each begins
/// and ends, and what is drained at the end.
struct Emitters: Sendable {
  let stage: Timed
  private let feed = Subject<Switch, Fault>()

  static func run(_ numbers: Numbers, _ transcript: Transcript) async {
    await Timed.run(numbers, transcript) { try await Emitters(stage: $0).run() }
  }

  private func next(_ number: Int) -> Switch {
    Switch(number: number, lamp: stage.numbers.pick([nil, 1, 2]), rest: stage.span(3_000_000))
  }

  @Sendable private func handle(_ action: Switch) async throws {
    let voice = "\(action.number)"
    stage.note("begins", by: voice)
    try await stage.sleep(action.rest)
    if action.number % 5 == 4 { throw Fault(code: action.number) }
    stage.note("is done", by: voice)
  }

  private func run() async throws {
    let numbers = stage.numbers
    let policies: [OverlapPolicy] = [.concurrent, .newest, .first, .serial]
    let (policy, hasLimit) = (numbers.pick(policies), numbers.once(in: 2))
    let first = Observable((0..<numbers.below(3)).map { Switch(number: 100 + $0, lamp: 1, rest: .zero) })
    let cluster = try await Bootstrap(diagnostics: report) {
      let lamps = On(Switch.self) { action, _ in try await handle(action) }.overlapping(policy, by: \.lamp)
      Group { if hasLimit { lamps.timeLimit(.milliseconds(2), on: stage.time) } else { lamps } }
        .fed(by: feed.observable)
        .teardown { stage.note("teardown", by: "cluster") }
        .fed(by: first.setFailureType(to: Fault.self), atBootstrap: true)
    }
    stage.note("ready", by: "cluster")
    // The stream is read when its task comes to it.
    await stage.time.run(for: .nanoseconds(1))
    for number in 0..<numbers.within(3...20) {
      if numbers.once(in: 3) { send(next(number), to: cluster) } else { feed.send(next(number)) }
      await stage.time.run(for: stage.span(2_000_000))
    }
    if numbers.once(in: 3) { feed.fail(Fault(code: 50)) }
    if numbers.once(in: 2) { await stage.time.run(for: .seconds(1)) }
    let ending = stage.task { await cluster.shutdown() }
    await stage.time.run(for: .seconds(1))
    await ending.value
    stage.note("\(stage.time.pending.count) timers, \(feed.observerCount) observers", by: "end")
  }

  private func send(_ action: Switch, to cluster: Cluster) {
    _ = stage.task {
      do {
        try await cluster.send(action: action)
        stage.note("sent", by: "\(action.number)")
      } catch {
        stage.note(Fault.text(error), by: "\(action.number)")
      }
    }
  }

  @Sendable private func report(_ diagnostic: ServiceDiagnostic) {
    switch diagnostic {
    case .emittedActionFailed(_, _, let error): stage.note("an action: \(Fault.text(error))", by: "reports")
    case .emitterFailed(_, let error): stage.note("an emitter: \(Fault.text(error))", by: "reports")
    default: stage.note("other", by: "reports")
    }
  }
}
