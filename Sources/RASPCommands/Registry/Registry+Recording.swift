import RASPSupport
public import Streams

extension EngineProtocol {
  /// Begins to record executions and events. They get identities from now on.
  package func record(as name: String, last count: Int, clock: TapeClock) -> OccurrenceTape {
    handle.recorders.record(as: name, last: count, clock: clock)
  }

  /// Ends one use of a tape.
  package func endRecording(onto tape: OccurrenceTape) {
    handle.recorders.end(tape)
  }
}

extension EngineHandle {
  /// The recorders, which do not keep the engine alive.
  package var recorders: OccurrenceRecorders { registry.recorders }
}

extension Registry {
  /// The identity of an execution that begins: its own, if the engine is recorded, otherwise what causes it.
  ///
  /// - Parameter command: the command, or the builder that could not build it.
  @inlinable
  @inline(__always)
  func begin<Subject: Sendable>(_ command: Subject) -> CarriedCause {
    ThreadCause.isCarried ? noteExecution(of: command) : .unknown
  }

  /// Inlinable, because code that does not know the type of the command would copy it several times as slowly.
  @inlinable
  @inline(never)
  func noteExecution<Subject: Sendable>(of command: Subject) -> CarriedCause {
    recorders.note(.execution, command)
  }

  @usableFromInline
  func noteEnd(of identity: CarriedCause, _ outcome: Outcome<Void>) {
    let outcome: Occurrence.Outcome =
      switch outcome {
      case .handled: .handled
      case .stopped: .stopped
      case .failed(let error): .failed(error)
      }
    recorders.noteEnd(of: identity, outcome)
  }
}
