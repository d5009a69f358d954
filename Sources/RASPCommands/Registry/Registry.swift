import RASPSupport
public import Streams

/// What an engine has for commands of one type. It is closed when everything is removed.
@usableFromInline
protocol AnyRoute: AnyObject, Sendable {
  /// Removes everything that belongs to it. Nothing is delivered after that.
  func close()
}

/// Returns a value of any type as one of a type.
///
/// A cast asks the runtime about types, also where the value has exactly the type that is wanted. Here that costs the
/// comparison of two words.
///
/// - Returns: `nil` if the value is none of that type.
@inlinable
func same<Value>(_ value: any Sendable, as type: Value.Type) -> Value? {
  func open<Present>(_ present: Present) -> Value? {
    // Both names mean one type, so the bits are those of a `Value`.
    Present.self == Value.self ? unsafeBitCast(present, to: Value.self) : present as? Value
  }
  return open(value)
}

/// An object that a registry has given out, as one of its class. A cast would ask the runtime; here two addresses are
/// compared.
///
/// - Returns: `nil` if the object is not of exactly that class.
@inlinable
@inline(__always)
func given<Object>(_ object: AnyObject, as class: Object.Type) -> Object? {
  // Both names mean one class, so the bits are a reference to an object of it.
  type(of: object) == Object.self ? unsafeBitCast(object, to: Object.self) : nil
}

/// The running part of an engine: what is registered for each type of command, and the middleware.
///
/// The engine owns it. Publishers, subscriptions and handles hold the registry, which is why none of them keeps the
/// engine alive.
///
/// Safe to share: the tables are behind their lock, which is held for a look-up and never while user code runs.
@usableFromInline
final class Registry: Sendable {
  /// The middleware at one moment, which is a ``Pipeline`` and does not change. It uses the registry in turn.
  @usableFromInline typealias Stages = AnyObject & Sendable

  /// Executes a command of the type that it was made for.
  @usableFromInline typealias Erased = @Sendable (any Command, Registry) -> Execution<any Sendable>

  private struct Tables: Sendable {
    var routes = TypeTable<any AnyRoute>()
    var middleware: (any Stages)?
    /// How commands of a type are executed by code that does not know the type. They were made by code that does.
    var erased = TypeTable<Erased>()
    /// Set when the engine is gone.
    var isClosed = false
  }

  private let tables = Lock(Tables())
  @usableFromInline let errors = ErrorReporter()
  @usableFromInline let scheduler: any Scheduler
  let owners = OwnerRegistry()
  @usableFromInline let hook = OccurrenceHook()

  init(scheduler: any Scheduler) {
    self.scheduler = scheduler
  }

  // MARK: Routes

  @usableFromInline
  func find(_ key: ObjectIdentifier) -> (route: (any AnyRoute)?, middleware: (any Stages)?) {
    tables.withLock { ($0.routes[key], $0.middleware) }
  }

  /// Inserts a route, unless there is one already.
  ///
  /// - Returns: the route that is there now; the new one, which is closed, if the engine is gone.
  func insert(_ route: any AnyRoute, _ key: ObjectIdentifier) -> any AnyRoute {
    let (present, isClosed) = tables.withLock { tables -> ((any AnyRoute)?, Bool) in
      if tables.isClosed { return (nil, true) }
      return (tables.routes.insert(route, key), false)
    }
    if isClosed { route.close() }
    return present ?? route
  }

  // MARK: Commands of any type

  /// Returns how commands of a type are executed; `nil` for a type that was never given a handler.
  func erased(_ key: ObjectIdentifier) -> Erased? {
    tables.withLock { $0.erased[key] }
  }

  /// Takes in how commands of a type are executed. It is the same for all handlers of the type, so it stays.
  func keep(_ erased: @escaping Erased, _ key: ObjectIdentifier) {
    let present = tables.withLock { $0.isClosed ? erased : $0.erased.insert(erased, key) }
    _ = consume present
  }

  // MARK: Middleware

  /// Puts other middleware in the place of what is there. What was there is released after unlocking.
  ///
  /// - Parameter change: makes the new middleware of the old one, and runs no user code.
  func changeMiddleware(_ change: @Sendable ((any Stages)?) -> (any Stages)?) {
    let previous = tables.withLock { tables in
      let previous = tables.middleware
      if !tables.isClosed { tables.middleware = change(previous) }
      return previous
    }
    _ = consume previous
  }

  // MARK: End

  /// Removes everything; with `forGood`, also everything that is registered from now on.
  func invalidate(forGood: Bool = false) {
    let previous = tables.withLock { tables in
      let previous = tables
      tables = Tables()
      tables.isClosed = previous.isClosed || forGood
      return previous
    }
    for route in previous.routes.values { route.close() }
    errors.handler = nil
  }
}
