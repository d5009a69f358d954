public import RASPCommands
import RASPSupport
import Streams
public import Testing

/// A reaction that writes down its calls.
///
///     let recorder = ReactionRecorder<[Book]>()
///     let token = engine.react(to: BookList.self, with: recorder.reaction)
///     engine.execute(BookList(), reaction: recorder.reaction)
///
///     recorder.expect(.wait, .consume(books))
///
/// The events of a type of command are also a stream, which a `Recorder` writes down:
/// `Recorder(engine.events(of: BookList.self))`.
///
/// - Concurrency: every member may be called from any thread. The reaction may be registered several times, and writes
///   down the calls of all registrations.
public final class ReactionRecorder<Output: Sendable>: Sendable {
  /// One call of one of the closures of a reaction.
  public enum Call: Sendable {
    /// A command has begun and has no result yet.
    case wait
    /// The command has a result.
    case consume(Output)
    /// The command has failed.
    case rescue(any Error)
  }

  private let list = Lock<[Call]>([])
  private let onCall: @Sendable (Call) -> Void

  /// Makes a recorder without calls.
  ///
  /// - Parameter onCall: is called with each call, after it was written down, for example to execute, dispose, or hold
  ///   a gate.
  public init(onCall: @escaping @Sendable (Call) -> Void = { _ in }) {
    self.onCall = onCall
  }

  /// All calls so far, in order.
  public var calls: [Call] { list.withLock { $0 } }

  /// The results so far, in order.
  public var outputs: [Output] {
    calls.compactMap { call in
      if case .consume(let output) = call { output } else { nil }
    }
  }

  /// The reaction. It keeps the recorder.
  public var reaction: Reaction<Output> {
    Reaction(wait: { self.note(.wait) }, consume: { self.note(.consume($0)) }, rescue: { self.note(.rescue($0)) })
  }

  /// Expects exactly these calls, in this order; anything else is reported as an issue of the running test, with both
  /// lists in one.
  ///
  /// Values that are `Equatable` are compared with `==`, others, and what does not equal itself, by how they print.
  ///
  /// - Parameters:
  ///   - expected: the calls that there should have been; none of them, if there should have been none.
  ///   - sourceLocation: where to report.
  public func expect(_ expected: Call..., sourceLocation: SourceLocation = #_sourceLocation) {
    let difference = describeListDifference(of: "calls", expected: expected, observed: calls) {
      $0.isSame(as: $1)
    } text: {
      $0.text
    }
    if let difference { Reporter.current.report(difference, at: sourceLocation) }
  }

  private func note(_ call: Call) {
    list.withLock { $0.append(call) }
    onCall(call)
  }
}

extension ReactionRecorder.Call {
  fileprivate var text: String {
    switch self {
    case .wait: "wait"
    case .consume(let output): "consume \(brief(output))"
    case .rescue(let error): "rescue \(brief(error))"
    }
  }

  fileprivate func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.wait, .wait): true
    case (.consume(let first), .consume(let second)): RASPSupport.isSame(first, second)
    case (.rescue(let first), .rescue(let second)): RASPSupport.isSame(first, second)
    default: false
    }
  }
}
