// What waits in the line takes the code along that delivers it. It is made here, where the type of the values is known,
// so it is specialised in the module of the user, however the line comes to its end.
extension DeliveryQueue where Shell: ~Copyable {
  /// Sends to a queue that was not idle. It retains nothing of this object: counting a reference would move the cache
  /// line of the count away from the processor of the thread that is delivering.
  @inlinable
  @inline(never)
  func sendLater(_ value: Value) -> Bool {
    // Released at the end, when no lock is held any more. A `consume` in a `defer` would release it twice (Swift 6.3).
    var dropped: Value?
    let isAccepted = admit(1, SlotLayout(of: Value.self), Self.delivery) { _, place, oldest in
      if let oldest { dropped = oldest.assumingMemoryBound(to: Value.self).move() }
      place.initializeMemory(as: Value.self, to: value)
    }
    withExtendedLifetime(dropped) {}
    return isAccepted
  }

  @inlinable
  @inline(never)
  func sendLater(contentsOf values: [Value]) -> Bool {
    var dropped: [Value] = []
    let isAccepted = admit(values.count, SlotLayout(of: Value.self), Self.delivery) { index, place, oldest in
      if let oldest { dropped.append(oldest.assumingMemoryBound(to: Value.self).move()) }
      place.initializeMemory(as: Value.self, to: values[index])
    }
    withExtendedLifetime(dropped) {}
    return isAccepted
  }

  @inlinable
  @inline(never)
  func runLater(_ job: @escaping Job, asTheLast closing: Bool) -> Bool {
    admitJob(asTheLast: closing) { queue, _, _ in
      let queue = unsafeDowncast(queue, to: DeliveryQueue<Shell>.self)
      let access = QueueAccess(of: queue)
      job(&queue.shell[access], access)
    }
  }

  /// - Returns: `false` if the queue has no owner.
  @inlinable
  @inline(never)
  func changeLater<Garbage>(_ change: @escaping @Sendable (inout Shell, QueueAccess) -> Garbage) -> Bool {
    putInLine { queue, _, _ in
      let queue = unsafeDowncast(queue, to: DeliveryQueue<Shell>.self)
      let access = QueueAccess(of: queue)
      _ = change(&queue.shell[access], access)
    }
  }

  /// What delivers a value of this queue that has waited.
  @inlinable
  static var delivery: Delivery {
    @inline(__always) get {
      { queue, value, place in
        let value = value.assumingMemoryBound(to: Value.self)
        if let place {
          place.assumingMemoryBound(to: Value.self).moveInitialize(from: value, count: 1)
          return
        }
        unsafeDowncast(queue, to: DeliveryQueue<Shell>.self).deliver(value.move())
      }
    }
  }
}
