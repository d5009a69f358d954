import RASPSupport
import Streams

/// What an engine has for one type of command: the handler, the lane of the events, and the executions that
/// overlap.
///
/// Safe to share: the handler is behind its lock, the rest does not change.
@usableFromInline
final class Route<CommandType: Command>: AnyRoute {
  @usableFromInline let lane: Lane<CommandType>
  @usableFromInline let slot = Lock(HandlerSlot<CommandType>(_HandlerCall.builtIn()))

  /// `nil` if executions run side by side and take any time.
  @usableFromInline let overlaps = Overlaps(of: CommandType.self)

  init(reportingTo errors: ErrorReporter, _ hook: OccurrenceHook) {
    lane = Lane(reportingTo: errors, hook)
  }

  // MARK: Handler

  /// Inlinable, because code that does not know the type of the command would look up the type of the slot each time.
  @inlinable
  var handler: RegisteredHandler<CommandType>? { slot.withLock { $0.handler } }

  /// - Returns: the registration, which removes the handler; `nil` if there is a handler and it must not be replaced.
  func install(_ call: _HandlerCall<CommandType>, replacing: Bool) -> Registration? {
    let handler = RegisteredHandler(call)
    let (number, previous) = slot.withLock { slot -> (Int?, RegisteredHandler<CommandType>?) in
      if slot.handler != nil, !replacing { return (nil, nil) }
      let previous = slot.put(handler)
      return (slot.registration, previous)
    }
    _ = consume previous
    return number.map { number in Registration { self.uninstall(number) } }
  }

  /// Leaves a handler alone that has replaced this one.
  private func uninstall(_ number: Int) {
    let builtIn = _HandlerCall<CommandType>.builtIn().map { RegisteredHandler($0) }
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
  /// The route of a type of command, and the middleware of the moment.
  @inlinable
  @inline(__always)
  func look<CommandType: Command>(up type: CommandType.Type) -> (Route<CommandType>, Pipeline?) {
    let (found, middleware) = find(ObjectIdentifier(type))
    let route = found.flatMap { given($0, as: Route<CommandType>.self) }
    return (route ?? makeRoute(for: type), middleware.flatMap { given($0, as: Pipeline.self) })
  }

  @usableFromInline
  func makeRoute<CommandType: Command>(for type: CommandType.Type) -> Route<CommandType> {
    let route = Route<CommandType>(reportingTo: errors, hook)
    return given(insert(route, ObjectIdentifier(type)), as: Route<CommandType>.self) ?? route
  }

  @inlinable
  func route<CommandType: Command>(of type: CommandType.Type) -> Route<CommandType> {
    if let found = find(ObjectIdentifier(type)).route, let route = given(found, as: Route<CommandType>.self) {
      return route
    }
    return makeRoute(for: type)
  }
}
