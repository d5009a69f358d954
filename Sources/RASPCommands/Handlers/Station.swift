import RASPSupport
import Streams

/// What an engine has for one type of command: the handler, the lane of the events, and the executions that
/// overlap.
///
/// Safe to share: the handler is behind its lock, the rest does not change.
@usableFromInline
final class Station<CommandType: Command>: Closable {
  @usableFromInline let lane: Lane<CommandType>
  @usableFromInline let slot = Lock(HandlerSlot<CommandType>(AnyHandler.builtIn()))

  /// `nil` if executions run side by side and take any time.
  @usableFromInline let overlaps = Overlaps(of: CommandType.self)

  init(reportingTo errors: ErrorReporter, _ recorders: OccurrenceRecorders) {
    lane = Lane(reportingTo: errors, recorders)
  }

  /// Is `true` if executions run side by side and take any time.
  @inlinable var isPlain: Bool { overlaps == nil }

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
