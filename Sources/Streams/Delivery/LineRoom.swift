import RASPPrimitives

// Senders that wait for room in the line instead of letting it grow: tasks, which are suspended, and threads that have
// chosen to be blocked.
extension QueueOwnership {
  /// The number of values that may wait before a sender has to wait for room.
  final var room: Int { Self.room(policy) }

  /// The bound of the line; without a bound, as many as one call delivers for other threads.
  static func room(_ policy: BufferingPolicy) -> Int {
    switch policy {
    case .unbounded: foreignLimit
    case .newest(let limit), .oldest(let limit): max(1, limit)
    }
  }

  /// Puts a value in line as soon as there is room, or delivers it if the queue turns out to have no owner.
  ///
  /// - Parameters:
  ///   - layout: of the value.
  ///   - deliver: delivers it.
  ///   - fill: puts the value in its place. It runs under the lock.
  /// - Returns: `false` if the queue is closed, or if the task was cancelled before there was room.
  @usableFromInline
  final func admitWhenReady(
    _ layout: SlotLayout,
    _ deliver: @escaping Delivery,
    isolation: isolated (any Actor)?,
    fill: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) async -> Bool {
    while true {
      let waiter = LineWaiter(deliver: deliver, sender: CurrentThread.id, cause: CarriedCause.current)
      var isFull = false
      let admission = withLine { line in
        line.admit(to: self, from: waiter.sender, evenIfClosed: false, closing: false) { waiting, taken in
          isFull = taken == nil && waiting.isFull(room)
          if isFull { return }
          let slot = (taken?.pointee.items.pointer ?? waiting.items.pointer).pointee.addValue(layout)
          slot.waiter.initialize(to: waiter)
          fill(slot.value)
        }
      }
      switch admission {
      case .refused: return false
      case .entered: deliverAtOnce()
      case .queued: break
      }
      if !isFull { return true }
      if let isAccepted = await waitForRoom(layout, waiter, fill, isolation: isolation) { return isAccepted }
    }
  }

  /// Waits until the owner has put a value in line.
  ///
  /// - Returns: whether it has; `nil` if there is room by now, and nothing has been done.
  private final func waitForRoom(
    _ layout: SlotLayout,
    _ waiter: LineWaiter,
    _ fill: @escaping @Sendable (UnsafeMutableRawPointer) -> Void,
    isolation: isolated (any Actor)?
  ) async -> Bool? {
    let number = withLine { line in line.waiting.value.withLock { $0.senders.nextNumber() } }
    var hasRoom = false
    let isAccepted = await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        let answer = withLine { line in
          line.waiting.value.withLock { waiting -> Bool? in
            // The handler runs after the task was marked as cancelled: it finds what is added here.
            if !isOpen || Task.isCancelled { return false }
            guard waiting.isFull(room) else { return true }
            assert(word.load(ordering: .relaxed) & Self.waiting != 0, "A line is full that nothing delivers.")
            let sender = WaitingSenders.Sender(
              number: number,
              layout: layout,
              waiter: waiter,
              fill: fill,
              continuation: continuation
            )
            waiting.senders.add(sender)
            return nil
          }
        }
        hasRoom = answer == true
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let sender = withLine { line in line.waiting.value.withLock { $0.senders.remove(number) } }
      sender?.continuation.resume(returning: false)
    }
    return hasRoom ? nil : isAccepted
  }

  /// Blocks this thread until there is room in the line, unless it is one that must not be blocked: the thread that
  /// delivers, the main thread, or a thread that runs a task. Several threads that were blocked may add a value each
  /// when there is room for one.
  ///
  /// - Returns: what is to become of a value if there is no room now.
  @usableFromInline
  final func blockUntilRoom(atMost patience: Duration) -> AtBound {
    assert(isShared, "Only a queue that shares something knows its owner.")
    guard !isOwnedByThisThread, !CurrentThread.isMain, withUnsafeCurrentTask(body: { $0 == nil }) else {
      return .refused
    }
    let end = ContinuousClock.now.advanced(by: patience)
    var attempt = 0
    while withLine({ line in line.waiting.value.withLock { $0.isFull(room) } }) {
      if ContinuousClock.now >= end {
        raise(.grown(pendingCount))
        return .added
      }
      CurrentThread.pause(attempt)
      attempt += 1
    }
    return .added
  }
}

extension DeliveryQueue where Shell: ~Copyable {
  /// Delivers a value now, or adds it to the line when there is room; the task is suspended until then.
  ///
  /// - Returns: `false` if the queue is closed, or if the task was cancelled before there was room.
  @inlinable
  package func sendWhenReady(_ value: Shell.Value, isolation: isolated (any Actor)?) async -> Bool {
    guard enter(isShared: Shell.isShared) else {
      return await admitWhenReady(SlotLayout(of: Value.self), Self.delivery, isolation: isolation) { place in
        place.initializeMemory(as: Value.self, to: value)
      }
    }
    deliver(value)
    leaveOrDrain()
    return true
  }

  /// Delivers a value now, or adds it to the line when there is room; the thread is blocked until then.
  ///
  /// - Parameter patience: after this time the value is added although there is no room.
  /// - Returns: `false` if the queue is closed, or if there is no room and this thread must not be blocked.
  @inlinable
  package func send(_ value: Shell.Value, blockingAtMost patience: Duration) -> Bool {
    guard enter(isShared: Shell.isShared) else { return sendLater(value, atBound: blockUntilRoom(atMost: patience)) }
    deliver(value)
    leaveOrDrain()
    return true
  }
}
