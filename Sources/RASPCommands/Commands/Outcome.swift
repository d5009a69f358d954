/// The end of an execution, of the way of a command through its middleware, or of publishing an event.
///
///     switch await engine.execute(BookList()).wait() {
///     case .handled(let books): show(books)
///     case .stopped: break
///     case .failed(let error): report(error)
///     }
public enum Outcome<Value: Sendable>: Sendable {
  /// The handler returned this result; the reactions get the event.
  ///
  /// An event has been delivered when `publish` returns, unless another event of this type of command was being
  /// delivered. Then the thread that delivers takes this one afterwards.
  case handled(Value)

  /// No handler was called, or no reaction gets the event.
  ///
  /// A middleware stopped it, or ``Command/overlap`` dropped the command, or the event came too late: the handler had
  /// returned, the execution was cancelled, or the engine was invalidated.
  case stopped

  /// The handler or a middleware failed, or there is no handler (``EngineError/noHandler(_:)``). The error is a
  /// `CancellationError` if the execution was cancelled. An event whose middleware failed was published as this error.
  case failed(any Error)
}

extension Outcome where Value == Void {
  /// The handler returned; the reactions get the event.
  public static var handled: Outcome { .handled(()) }
}

extension Outcome {
  /// The value, if there is one.
  public var output: Value? {
    if case .handled(let value) = self { value } else { nil }
  }

  /// The error, if there is one.
  public var failure: (any Error)? {
    if case .failed(let error) = self { error } else { nil }
  }

  /// Is `true` for ``stopped``.
  package var isStopped: Bool {
    if case .stopped = self { true } else { false }
  }

  @inlinable
  func map<Other: Sendable>(_ transform: (Value) -> Other) -> Outcome<Other> {
    switch self {
    case .handled(let value): .handled(transform(value))
    case .stopped: .stopped
    case .failed(let error): .failed(error)
    }
  }
}

/// An outcome of any type, whose value can be had as `any Sendable`.
@usableFromInline
protocol AnyOutcome: Sendable {
  var erased: Outcome<any Sendable> { get }
}

extension Outcome: AnyOutcome {
  @inlinable var erased: Outcome<any Sendable> { map { $0 } }
}
