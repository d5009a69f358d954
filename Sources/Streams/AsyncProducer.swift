/// The sending end of one subscription to a stream that asynchronous code makes, by the initialiser of ``Observable``
/// whose closure gets a producer of this type.
///
/// It sends with backpressure: ``send(_:)`` returns when its value has been handled. Several tasks may use it; their
/// values are delivered one at a time.
///
/// - Concurrency: every member may be called from any task.
/// - Complexity: every member is O(1), beside the cost of the observer.
public final class AsyncProducer<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline let hub: Hub<Element, Failure>
  @usableFromInline let lifetime: Lifetime

  @inlinable
  init(hub: Hub<Element, Failure>, lifetime: Lifetime) {
    self.hub = hub
    self.lifetime = lifetime
  }

  /// Is `true` until the stream has ended or its subscription was cancelled.
  @inlinable
  public var isActive: Bool { lifetime.isActive && hub.queue.isOpen }

  /// Sends a value to the observer, and returns when it has been handled: when it has reached every observer, also if
  /// it had to wait behind values of other sources. A value that an operator or an asynchronous reader keeps in a
  /// buffer counts as handled.
  ///
  /// - Returns: `true` if the value was accepted; `false` once the stream has ended or was cancelled, and the operation
  ///   may return then.
  /// - Ordering: the values of one task are delivered in the order in which it sends them.
  @inlinable
  @discardableResult
  public func send(_ value: Element) async -> Bool {
    guard lifetime.isActive, hub.send(value) else { return false }
    await waitUntilHandled()
    return true
  }

  /// Sends several values to the observer, with nothing between them, and returns when they have been handled: what has
  /// arrived in one packet stays together, and costs one wait.
  ///
  /// - Returns: as for ``send(_:)``.
  /// - Complexity: O(values), beside the cost of the observer.
  @inlinable
  @discardableResult
  public func send(contentsOf values: some Sequence<Element>) async -> Bool {
    guard lifetime.isActive, hub.queue.send(contentsOf: Array(values)) else { return false }
    await waitUntilHandled()
    return true
  }

  @usableFromInline
  func waitUntilHandled() async {
    let handled = Latch()
    hub.acknowledge { handled.open() }
    await handled.wait()
  }
}

extension Observable {
  /// Makes a stream that asynchronous code produces: `produce` runs in a task of its own for each subscription, and
  /// sends through the ``AsyncProducer`` it is given.
  ///
  ///     let packets = Observable<Packet, any Error> { producer in
  ///       try await socket.executeThenClose { inbound, _ in
  ///         for try await packet in inbound { await producer.send(packet) }
  ///       }
  ///     }
  ///
  /// It is for what can only be read inside a scope. A sequence that can be read anywhere is a stream by
  /// ``init(_:)-(Source)``. The stream finishes when `produce` returns.
  ///
  /// - Backpressure: `send` suspends until its value has been handled, so what is read is not read faster.
  /// - Concurrency: `produce` runs on the concurrent executor, not on the actor that subscribes. Cancelling the
  ///   subscription cancels the task, and nothing is sent any more. The stream may have ended before `produce` returns.
  /// - Errors: an error that `produce` throws is the failure of the stream, also if it is a `CancellationError`.
  ///   `retry` runs `produce` again.
  /// - Complexity: subscribing and cancelling are O(1).
  @inlinable
  public init(_ produce: @escaping @Sendable (AsyncProducer<Element, Failure>) async throws(Failure) -> Void) {
    self.init(attach: { observer in
      guard observer.lifetime.isActive else { return }
      let hub = Hub<Element, Failure>()
      hub.attach(observer)
      // The hub gives its observer up at the end of the subscription. So an operation that ignores cancellation keeps
      // the task alive, but nothing of the observer.
      let producer = AsyncProducer(hub: hub, lifetime: observer.lifetime)
      let work: @Sendable () async -> Void = {
        do throws(Failure) {
          try await produce(producer)
          _ = hub.end(.finished)
        } catch {
          _ = hub.end(.failed(error))
        }
      }
      // What the operation reads is not brought about by the subscription.
      let task = CarriedCause.unknown.startTask { AmbientExecutor.startTask(work) }
      observer.lifetime.onTermination { task.cancel() }
    })
  }
}
