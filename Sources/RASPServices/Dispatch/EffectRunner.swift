import RASPPrimitives
import RASPSupport
import Streams

/// A side effect or a reaction took longer than its time limit.
public struct EffectTimeoutError: Error, Hashable, CustomStringConvertible {
  /// The limit.
  public let limit: Duration

  /// The problem and the remedy.
  public var description: String {
    "An effect took longer than \(limit) and was cancelled. Give it more time, or let it end when it is cancelled."
  }
}

/// A newer effect has taken the place of one. The sender gets a `CancellationError`, and no transform gets any.
struct ReplacedEffect: Error {}

/// The rule of one service about effects that overlap and that take long.
struct EffectRule: Sendable {
  var policy = OverlapPolicy.concurrent
  var limit: (duration: Duration, scheduler: any Scheduler)?
}

/// Runs the effects of one service by its rule.
///
/// Safe to share: the machine is behind the lock, and effects are started and cancelled after unlocking.
final class EffectRunner: Sendable {
  typealias Effect = nonisolated(nonsending) @Sendable () async throws -> Void

  private let rule: EffectRule
  /// Is `true` if effects run side by side and take any time.
  private let isFree: Bool
  private let machine: Lock<OverlapMachine<RunningEffect>>

  init(_ rule: EffectRule) {
    self.rule = rule
    isFree = rule.policy == .concurrent && rule.limit == nil
    machine = Lock(OverlapMachine(rule.policy))
  }

  /// Returns `true` if an effect need only be called.
  func lets(runAtOnce call: Call) -> Bool {
    isFree || call.span.isInside(effectOf: ObjectIdentifier(self))
  }

  /// Runs an effect, and returns when it is done or dropped.
  ///
  /// An effect that is caused by a running one of the same service is a part of that and runs at once. Otherwise it
  /// would wait for itself, cancel itself, or be dropped.
  nonisolated(nonsending) func run(in call: Call, _ effect: @escaping Effect) async throws {
    if lets(runAtOnce: call) { return try await effect() }
    let id = ObjectIdentifier(self)
    let span = CallSpan(.effect(id), of: call.span.cluster, in: call.span)
    defer { span.close() }
    let context = CallContext(span: span, scope: CallContext.current.scope)
    let running = RunningEffect()
    let number: Int
    switch machine.withLock({ $0.arrived(running) }) {
    case .start(let own):
      number = own
      running.turn.open()
    case .replace(let own, let replaced):
      number = own
      running.turn.open()
      replaced.end(.replaced)
    case .wait(let own):
      number = own
    case .drop:
      return
    }
    defer { machine.withLock { $0.left(number) }?.work.turn.open() }
    try await withTaskCancellationHandler {
      await running.turn.wait()
      try Task.checkCancellation()
      if running.isReplaced { throw ReplacedEffect() }
      try await start(effect, in: context, as: running)
    } onCancel: {
      running.turn.open()
      running.end(.cancelled)
    }
  }

  /// Runs the effect in a task of its own, which can be cancelled alone. It has the place and the span of the sender.
  nonisolated(nonsending) private func start(
    _ effect: @escaping Effect,
    in context: CallContext,
    as running: RunningEffect
  ) async throws {
    let task = CallContext.$current.withValue(context) {
      Task {
        let result: Result<Void, any Error>
        do {
          result = .success(try await effect())
        } catch {
          result = .failure(error)
        }
        running.end(.done(result))
        return result
      }
    }
    running.begin(task)
    let cause = CarriedCause.current
    let timer = rule.limit.map { limit in
      limit.scheduler.schedule(at: limit.scheduler.now.later(by: limit.duration)) {
        cause.deliver { running.end(.late(EffectTimeoutError(limit: limit.duration))) }
      }
    }
    defer { timer?.cancel() }
    switch await running.end() {
    case .done(let result): try result.get()
    case .late(let error): throw error
    case .cancelled, .replaced:
      // What the effect still does belongs to its action.
      if case .failure(let error) = await task.value, !(error is CancellationError) { throw error }
      if running.isReplaced { throw ReplacedEffect() }
      throw CancellationError()
    }
  }
}

/// One effect, from its turn to its end. The first end counts.
///
/// Safe to share: what changes is behind the lock, and tasks are cancelled after unlocking.
final class RunningEffect: Sendable {
  enum End: Sendable {
    case done(Result<Void, any Error>)
    case late(EffectTimeoutError)
    /// The sender was cancelled.
    case cancelled
    /// A newer effect has taken the place of this one.
    case replaced
  }

  private struct State: Sendable {
    var task: Task<Result<Void, any Error>, Never>?
    var end: End?
  }

  /// Fires when it is the turn of the effect.
  let turn = Latch()
  private let state = Lock(State())
  private let isOver = Latch()

  var isReplaced: Bool {
    if case .replaced = state.withLock({ $0.end }) { true } else { false }
  }

  /// Remembers the task of the effect, and cancels it if the effect has ended already.
  func begin(_ task: Task<Result<Void, any Error>, Never>) {
    let isOver = state.withLock { state in
      state.task = task
      return state.end != nil
    }
    if isOver { task.cancel() }
  }

  /// Ends the effect, unless it has ended.
  func end(_ end: End) {
    let task = state.withLock { state -> Task<Result<Void, any Error>, Never>? in
      guard state.end == nil else { return nil }
      state.end = end
      return state.task
    }
    task?.cancel()
    isOver.open()
  }

  /// Returns when the effect has ended.
  func end() async -> End {
    await isOver.wait()
    return state.withLock { $0.end } ?? .cancelled
  }
}
