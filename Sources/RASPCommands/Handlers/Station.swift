import Streams

/// What an engine has for one type of command: the handler, the lane of the events, and the line of executions that
/// overlap.
///
/// Safe to share: the handler and the overlap machine are behind their locks, the rest does not change.
@usableFromInline
final class Station<CommandType: Command>: Closable {
  /// An execution that has not started yet, or runs.
  struct Entry: Sendable {
    let run: Run
    let start: @Sendable () -> Void
  }

  @usableFromInline let lane: Lane<CommandType>
  @usableFromInline let slot = Lock(HandlerSlot<CommandType>(AnyHandler.builtIn()))

  /// Is `true` if executions run side by side and take any time.
  @usableFromInline let isPlain: Bool
  private let overlap = Lock(OverlapMachine<Entry>(CommandType.overlap))
  /// Starts executions one after the other, so that a long line of them needs no deep stack.
  private let starter = DeliveryQueue(JobShell())

  init(reportingTo errors: ErrorReporter, _ recorders: OccurrenceRecorders) {
    lane = Lane(reportingTo: errors, recorders)
    isPlain = CommandType.overlap == .concurrent && CommandType.timeLimit == nil
  }

  // MARK: Handler

  /// Inlinable, because code that does not know the type of the command would look up the type of the slot each time.
  @inlinable
  var handler: AnyHandler<CommandType>? { slot.withLock { $0.handler } }

  /// - Returns: the registration, which removes the handler; `nil` if there is a handler and it must not be replaced.
  func install(_ handler: AnyHandler<CommandType>, replacing: Bool) -> Registration? {
    let (number, previous) = slot.withLock { slot -> (Int?, AnyHandler<CommandType>?) in
      if slot.handler != nil, !replacing { return (nil, nil) }
      let previous = slot.put(handler)
      return (slot.registration, previous)
    }
    _ = consume previous
    return number.map { number in Registration { self.uninstall(number) } }
  }

  /// Leaves a handler alone that has replaced this one.
  private func uninstall(_ number: Int) {
    let builtIn = AnyHandler<CommandType>.builtIn()
    let previous = slot.withLock { slot in
      slot.registration == number ? slot.put(builtIn) : nil
    }
    _ = consume previous
  }

  // MARK: Executions that overlap

  /// Starts an execution now or later, or drops it, as the policy of the command says.
  ///
  /// - Parameters:
  ///   - entry: the execution; it can be ended from outside already.
  ///   - drop: ends the execution that is dropped.
  func admit(_ entry: Entry, drop: () -> Void) {
    let answer = overlap.withLock { $0.arrived(entry) }
    switch answer {
    case .start(let number):
      follow(entry.run, number)
      entry.start()
    case .replace(let number, let replaced):
      follow(entry.run, number)
      replaced.run.end(with: CancellationError())
      entry.start()
    case .wait(let number):
      follow(entry.run, number)
    case .drop:
      drop()
    }
  }

  /// Takes the execution out of the machine when it has ended, and starts the one that waits for it.
  private func follow(_ run: Run, _ number: Int) {
    run.onSettled {
      guard let next = self.overlap.withLock({ $0.left(number) }) else { return }
      self.starter.run { _, _ in next.work.start() }
    }
  }

  // MARK: End

  @usableFromInline
  func close() {
    let previous = slot.withLock { $0.put(nil) }
    _ = consume previous
    lane.close()
  }
}

extension Registry {
  /// The station of a type of command, and the middleware of the moment.
  @inlinable
  func look<CommandType: Command>(up type: CommandType.Type) -> (Station<CommandType>, Pipeline?) {
    let (found, middleware) = find(ObjectIdentifier(type))
    // What is found under the key of a type was put there by `makeStation` of that type, and only pipelines are put in
    // the place of the middleware.
    let pipeline = middleware.map { unsafeDowncast($0, to: Pipeline.self) }
    guard let found else { return (makeStation(for: type), pipeline) }
    return (unsafeDowncast(found, to: Station<CommandType>.self), pipeline)
  }

  @usableFromInline
  func makeStation<CommandType: Command>(for type: CommandType.Type) -> Station<CommandType> {
    let station = Station<CommandType>(reportingTo: errors, recorders)
    return insert(station, ObjectIdentifier(type)) as? Station<CommandType> ?? station
  }

  @usableFromInline
  func station<CommandType: Command>(of type: CommandType.Type) -> Station<CommandType> {
    look(up: type).0
  }
}
