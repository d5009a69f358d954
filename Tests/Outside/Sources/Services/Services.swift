import RASPServices
import RASPTesting

struct Step: Action, Hashable {
  let number: Int
  /// How many actions may follow it.
  let depth: Int
}

struct Failed: Action, Hashable {
  let code: Int
}

struct Unheard: Action {}

private enum Base: EnvironmentKey {
  static let defaultValue = 1
}

extension EnvironmentValues {
  fileprivate var base: Int {
    get { self[Base.self] }
    set { self[Base.self] = newValue }
  }
}

/// A service that reads its environment.
private struct Reading: Service {
  @Environment(\.base) var base
  let note: @Sendable (Int) -> Void

  var body: some Service {
    On(Step.self) { [base, note] step, _ in note(base + step.number) }
  }
}

/// Random trees of services, one after the other or side by side, with models, reducers, watchers, observers, errors
/// that become actions, and actions that bring about others: who gets what, in which order.
///
/// Side by side, what one action brings about has no order: its lines are sorted, and do not say what a model is then.
struct Services: Sendable {
  let numbers: Numbers
  let transcript: Transcript
  let isSerial: Bool
  private let notes = Box<[String]>([])
  private let count = Box(0)

  static func run(_ numbers: Numbers, _ transcript: Transcript) async {
    await Timed.run(numbers, transcript) { _ in
      try await Services(numbers: numbers, transcript: transcript, isSerial: numbers.once(in: 2)).run()
    }
  }

  private func run() async throws {
    let (parts, isStopping) = (numbers.list(numbers.within(1...3)) { tree(numbers.below(4)) }, numbers.once(in: 3))
    let cluster = try await Bootstrap(diagnostics: { note("report \(text($0))") }) {
      let group = Group { for part in parts { part } }
      if isSerial { group.serial(stoppingAtErrors: isStopping) } else { group }
      On(Failed.self) { failed, _ in note("failed \(failed.code)") }
    }
    flush("bootstrap")
    for _ in 0..<numbers.within(2...8) {
      let isHeard = !numbers.once(in: 12)
      await send(isHeard ? Step(number: numbers.below(30), depth: numbers.below(3)) : Unheard(), to: cluster)
    }
    await cluster.shutdown()
    flush("shut down")
    await send(Unheard(), to: cluster)
  }

  private func send(_ action: any Action, to cluster: Cluster) async {
    do {
      try await cluster.send(action: action)
      flush("sent")
    } catch {
      flush(error as? ClusterError == .shutDown ? "too late" : text(error))
    }
  }

  private func note(_ text: String) { notes.change { $0.append(text) } }

  private func flush(_ text: String) {
    for line in isSerial ? notes.value : notes.value.sorted() { transcript.note(line) }
    transcript.note(text)
    notes.value = []
  }

  /// Which of several errors is thrown is not promised where services run side by side.
  private func text(_ error: any Error) -> String { isSerial ? Fault.text(error) : "error" }

  private func text(_ diagnostic: ServiceDiagnostic) -> String {
    switch diagnostic {
    case .unhandledAction: "unhandled"
    case .furtherError(_, let error): "further \(text(error))"
    case .missingModel: "no model"
    case .unusedModel: "unused model"
    case .unusedWatcher: "unused watcher"
    default: "other"
    }
  }

  private func tree(_ depth: Int) -> any Service {
    if depth == 0 || numbers.once(in: 4) { return leaf("\(count.next())") }
    let parts = numbers.list(numbers.within(1...3)) { tree(depth - 1) }
    return changed(Group { for part in parts { part } }, "\(count.next())")
  }

  private func leaf(_ name: String) -> any Service {
    let (fails, follows) = (numbers.within(2...9), numbers.within(2...4))
    @Sendable func go(_ step: Step, _ send: Send) async throws {
      if step.depth > 0, step.number % follows == 0 {
        try await send(Step(number: step.number / 2 + 1, depth: step.depth - 1))
      }
      if step.number % fails == fails - 1 { throw Fault(code: step.number) }
    }
    let store = Store(model: Int.self)
    switch numbers.below(6) {
    case 0:
      return On(Step.self) { step, send in
        note("\(name) gets \(step.number)")
        try await go(step, send)
        note("\(name) is done")
      }
    case 1:
      return store.mutate(on: Step.self) { sum, step, send in
        sum += step.number
        note("\(name) has \(isSerial ? sum : 0)")
        try await go(step, send)
      }
      .with(model: 0)
    case 2:
      return store.mutate(on: Step.self) { sum, step in
        sum += step.number
        note("\(name) has \(isSerial ? sum : 0)")
      }
    case 3:
      return Reducer<Int, Step, Void>(state: 0) { sum, step in
        if step.number % 2 == 0 { sum += step.number }
        if step.number % 3 != 0 { return nil }
        return { dispatch, _ in try await go(step, dispatch) }
      }
    case 4: return Reading { note("\(name) reads \($0)") }
    default: return EmptyService()
    }
  }

  private func changed(_ group: Group, _ name: String) -> any Service {
    let code = numbers.below(4)
    switch numbers.below(12) {
    case 0:
      return group.pre(action: Step.self) { step in
        note("\(name) before \(step.number)")
        if step.number % 8 == code { throw Fault(code: 100 + step.number) }
      }
    case 1: return group.post(action: Step.self) { note("\(name) after \($0.number)") }
    case 2: return group.observe(on: Step.self) { note("\(name) sees \($0.number)") }
    case 3, 4:
      return group.transformError { error in
        note("\(name) is asked for \(Fault.text(error))")
        return code == 0 ? nil : Failed(code: code)
      }
    case 5: return isSerial ? group.serial(stoppingAtErrors: code == 0) : group.concurrent()
    case 6: return group.with(model: code)
    case 7: return group.environment(\.base, code)
    case 8, 9: return group.watch(Int.self) { note("\(name) watches \(isSerial ? $0 : 0)") }
    case 10: return group.bootstrap { note("\(name) starts") }
    default: return group.teardown { note("\(name) ends") }
    }
  }
}
