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

/// What a service does about work that overlaps.
struct OverlapRule: Sendable {
  /// Tells actions apart: the policy holds among those whose keys are equal.
  typealias Key = @Sendable (any Action) -> (any Hashable & Sendable)?

  let policy: OverlapPolicy
  let key: Key?

  init<A: Action>(_ policy: OverlapPolicy, by key: (@Sendable (A) -> (any Hashable & Sendable)?)?) {
    if let key {
      self.init(policy, by: { @Sendable action in key(action.typed(as: A.self)) })
    } else {
      self.init(policy)
    }
  }

  init(_ policy: OverlapPolicy, by key: Key? = nil) {
    self.policy = policy
    self.key = key
  }
}

/// The rule of one service about effects that overlap and that take long.
struct EffectRule: Sendable {
  var overlap = OverlapRule(.concurrent)
  var limit: (duration: Duration, scheduler: any Scheduler)?
}

/// Runs the effects of one service by its rule.
///
/// Safe to share: nothing changes but in the lines, which are.
final class EffectRunner: Sendable {
  typealias Effect = nonisolated(nonsending) @Sendable () async throws -> Void

  private let rule: EffectRule
  /// Is `true` if effects run side by side and take any time, so that one need only be called.
  let isFree: Bool
  private let lines: OverlapLines<RunningEffect>
  private let onGrowth: @Sendable () -> Void

  /// - Parameter onGrowth: called when so many effects of one key wait that it is to be reported, once for each key.
  init(_ rule: EffectRule, onGrowth: @escaping @Sendable () -> Void) {
    self.rule = rule
    self.onGrowth = onGrowth
    isFree = rule.overlap.policy == .concurrent && rule.limit == nil
    lines = OverlapLines(rule.overlap.policy) { $0.turn.open() }
  }

  /// The number of keys under which something runs or waits.
  var keyCount: Int { lines.keyCount }

  /// Runs the effect of an action, and returns when it is done or dropped.
  ///
  /// An effect that is caused by a running one of the same service and key is a part of that and runs at once.
  /// Otherwise it would wait for itself, cancel itself, or be dropped.
  nonisolated(nonsending) func run(of action: any Action, in call: Call, _ effect: @escaping Effect) async throws {
    if isFree { return try await effect() }
    let key = rule.overlap.key?(action)
    if let present = lines.line(under: key), call.span.isInside(effectOf: ObjectIdentifier(present)) {
      return try await effect()
    }
    let running = RunningEffect()
    let (line, answer) = lines.arrived(running, under: key)
    let number: Int
    switch answer {
    case .start(let own):
      number = own
      running.turn.open()
    case .replace(let own, let replaced):
      number = own
      running.turn.open()
      replaced.end(.replaced)
    case .wait(let own):
      number = own
      if line.hasGrown { onGrowth() }
    case .drop:
      return
    }
    defer { line.left(number) }
    let span = CallSpan(.effect(ObjectIdentifier(line)), of: call.span.cluster, in: call.span)
    defer { span.close() }
    let context = CallContext(span: span, scope: CallContext.current.scope)
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
      AmbientExecutor.startTask {
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
