public import RASPSupport
public import Streams

extension EngineProtocol {
  /// What an insight records.
  public var _activity: _Activity { _Activity(.engine, handle.registry.hook) }
}

extension CommandEvent: RecordedEvent {
  package var source: String { "\(CommandType.self)" }
}

extension Registry {
  /// The identity of an execution that begins: its own, if the engine is recorded, otherwise what causes it.
  @inlinable
  @inline(__always)
  func begin(_ command: some Sendable) -> CarriedCause {
    ThreadCause.isCarried ? noteExecution(of: command) : .unknown
  }

  @usableFromInline
  func noteExecution(of command: some Sendable) -> CarriedCause {
    hook.note(.execution, command)
  }

  @usableFromInline
  func noteEnd(of identity: CarriedCause, _ outcome: Outcome<Void>) {
    let outcome: Occurrence.Outcome =
      switch outcome {
      case .handled: .handled
      case .stopped: .stopped
      case .failed(let error): .failed(error)
      }
    hook.noteEnd(of: identity, outcome)
  }
}
