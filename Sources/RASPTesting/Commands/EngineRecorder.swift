public import RASPCommands
import RASPSupport
import Streams
public import Testing

/// Writes down what happens on an engine, in one order: commands and their outcomes, events, facts, and the errors that
/// the engine reports.
///
///     let recorder = EngineRecorder(engine)
///     engine.execute(Login(name: "Kim"))
///     recorder.expect(
///       .executing(Login(name: "Kim")), .handled(Login(name: "Kim")), .published(…), .posted(LoginFact())
///     )
///
/// It is the innermost of the middleware that the engine has at that time: it sees commands and events as that
/// middleware passes them on. Middleware that comes later stands between it and the handlers. It does not make a
/// command wait that is carried out on the thread of its sender.
///
/// - Ordering: an entry is written before what it describes goes on. Commands that run on several threads are written
///   down as they come.
/// - Concurrency: every member may be called from any thread.
public final class EngineRecorder: Sendable {
  /// One thing that happened.
  #if hasAttribute(nonexhaustive)
    @nonexhaustive
  #endif
  public enum Entry: Sendable {
    /// A command is on its way to its handler.
    case executing(any Command)
    /// A handler has carried out this command.
    case handled(any Command)
    /// A later middleware has stopped this command.
    case stopped(any Command)
    /// A handler or a later middleware has failed this command.
    case failed(any Command, any Error)
    /// An event of a command is on its way to the reactions.
    case published(any AnyCommandEvent)
    /// A fact is on its way to those who listen for it.
    case posted(any Fact)
    /// The engine reports an error, as it gives it to `Engine.errorHandler`.
    case reported(any Error)
  }

  private let log: EntryLog
  private let middleware: [Registration]

  /// Begins to write down.
  ///
  /// It replaces the engine's error handler, and calls the one that was there. An error handler that is set
  /// later replaces it again, and then errors are no longer written down.
  ///
  /// - Parameter engine: the engine, which is not kept alive.
  public init(_ engine: Engine) {
    let log = EntryLog()
    self.log = log
    let previous = engine.errorHandler
    engine.errorHandler = { error in
      log.note(.reported(error))
      previous?(error)
    }
    middleware = [engine.add(RecordingCommands(log: log)), engine.add(RecordingEvents(log: log))]
  }

  /// Everything so far, in order.
  public var entries: [Entry] { log.entries }

  /// The commands of one type so far that were on their way to their handler.
  public func commands<Executed: Command>(of type: Executed.Type) -> [Executed] {
    entries.compactMap { entry in
      if case .executing(let command) = entry { command as? Executed } else { nil }
    }
  }

  /// The events of one type of command so far.
  public func events<Subject: Command>(of command: Subject.Type) -> [CommandEvent<Subject>] {
    entries.compactMap { entry in
      if case .published(let event) = entry { event as? CommandEvent<Subject> } else { nil }
    }
  }

  /// The facts so far.
  public var facts: [any Fact] {
    entries.compactMap { entry in
      if case .posted(let fact) = entry { fact } else { nil }
    }
  }

  /// The errors so far that the engine reported.
  public var errors: [any Error] {
    entries.compactMap { entry in
      if case .reported(let error) = entry { error } else { nil }
    }
  }

  /// Expects exactly these entries, in this order; anything else is reported as an issue of the running test, with both
  /// lists in one.
  ///
  /// Values that are `Equatable` are compared with `==`, others, and what does not equal itself, by how they print.
  ///
  /// - Parameters:
  ///   - expected: what should have happened.
  ///   - sourceLocation: where to report.
  public func expect(_ expected: Entry..., sourceLocation: SourceLocation = #_sourceLocation) {
    let difference = describeListDifference(of: "entries", expected: expected, observed: entries) {
      $0.isSame(as: $1)
    } text: {
      $0.text
    }
    if let difference { Reporter.current.report(difference, at: sourceLocation) }
  }

  /// Takes the recorder's middleware out of the engine. Commands that are running keep the middleware they began with.
  /// The error handler stays.
  public func stop() {
    for registration in middleware { registration.cancel() }
  }
}

extension EngineRecorder.Entry {
  /// The entry as text. The start of it tells the cases apart, what follows is what the entry carries.
  var text: String {
    switch self {
    case .executing(let command): "executing \(brief(command))"
    case .handled(let command): "handled \(brief(command))"
    case .stopped(let command): "stopped \(brief(command))"
    case .failed(let command, let error): "failed \(brief(command)): \(brief(error))"
    case .published(let event): "published \(event.text) of \(event.commandType)"
    case .posted(let fact): "posted \(brief(fact))"
    case .reported(let error): "reported \(brief(error))"
    }
  }

  func isSame(as other: Self) -> Bool {
    switch (self, other) {
    case (.executing(let first), .executing(let second)), (.handled(let first), .handled(let second)),
      (.stopped(let first), .stopped(let second)):
      RASPSupport.isSame(first, second)
    case (.failed(let first, let error), .failed(let second, let otherError)):
      RASPSupport.isSame(first, second) && RASPSupport.isSame(error, otherError)
    case (.published(let first), .published(let second)): first.isSame(as: second)
    case (.posted(let first), .posted(let second)): RASPSupport.isSame(first, second)
    case (.reported(let first), .reported(let second)): RASPSupport.isSame(first, second)
    default: false
    }
  }
}

extension AnyCommandEvent {
  /// The event as text, without its type of command.
  var text: String {
    if let data { return "data \(brief(data))" }
    if let error { return "error \(brief(error))" }
    return "progress"
  }

  /// Returns whether both events are of one kind and one type of command, and carry the same.
  func isSame(as other: any AnyCommandEvent) -> Bool {
    guard commandType == other.commandType else { return false }
    if let data, let otherData = other.data { return RASPSupport.isSame(data, otherData) }
    if let error, let otherError = other.error { return RASPSupport.isSame(error, otherError) }
    return isProgress && other.isProgress
  }
}

/// The entries of a recorder, which its middleware keeps.
private final class EntryLog: Sendable {
  private let list = Lock<[EngineRecorder.Entry]>([])

  var entries: [EngineRecorder.Entry] { list.withLock { $0 } }

  func note(_ entry: EngineRecorder.Entry) {
    list.withLock { $0.append(entry) }
  }
}

private struct RecordingCommands: Middleware {
  let log: EntryLog

  func intercept(_ command: any Command, next: Next<any Command>) -> MiddlewareResult<any Command> {
    log.note(.executing(command))
    return next(command).then { [log] outcome in
      switch outcome {
      case .handled: log.note(.handled(command))
      case .stopped: log.note(.stopped(command))
      case .failed(let error): log.note(.failed(command, error))
      }
      return MiddlewareResult(outcome)
    }
  }
}

private struct RecordingEvents: Middleware {
  let log: EntryLog

  func intercept(_ event: any AnyCommandEvent, next: Next<any AnyCommandEvent>) -> MiddlewareResult<any AnyCommandEvent>
  {
    // A fact travels as the result of a command that only facts have.
    if event.commandType is any PostedFact.Type, let fact = event.data as? any Fact {
      log.note(.posted(fact))
    } else {
      log.note(.published(event))
    }
    return next(event)
  }
}

private protocol PostedFact {}
extension FactCommand: PostedFact {}
