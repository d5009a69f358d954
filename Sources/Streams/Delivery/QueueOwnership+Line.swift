import Synchronization

// What has to wait: it is put in line. All of it is code that does not depend on the type of the values.
extension QueueOwnership {
  /// Delivers a value that has waited, or moves it.
  ///
  /// - Parameters:
  ///   - queue: the queue in whose line it has waited, which the caller owns.
  ///   - value: the address of the value, which is moved out.
  ///   - place: where the value is to be moved; `nil` if it is to be delivered.
  @usableFromInline
  typealias Delivery =
    @Sendable (
      _ queue: QueueOwnership,
      _ value: UnsafeMutableRawPointer,
      _ place: UnsafeMutableRawPointer?
    ) -> Void

  /// Puts values in line, or delivers them if the queue turns out to have no owner.
  ///
  /// - Parameters:
  ///   - layout: of a value.
  ///   - deliver: delivers one of the values.
  ///   - fill: moves the value with an index to a place. If there is an oldest value, it moves that out first, to be
  ///     released after this has returned. It runs under the lock.
  /// - Returns: `false` if the queue is closed, or if the bound of the line admits none of the values.
  @usableFromInline
  final func admit(
    _ count: Int,
    _ layout: SlotLayout,
    _ deliver: @escaping Delivery,
    fill: (_ index: Int, _ place: UnsafeMutableRawPointer, _ oldest: UnsafeMutableRawPointer?) -> Void
  ) -> Bool {
    let (sender, cause) = (CurrentThread.id, CarriedCause.current)
    var isAccepted = count == 0
    let admission = withLine { line in
      line.admit(to: self, evenIfClosed: false, closing: false) { waiting, taken in
        for index in 0..<count {
          let (oldest, isFull) = taken == nil ? waiting.makeRoom(line.policy) : (nil, false)
          if isFull { continue }
          _ = oldest?.waiter.move()
          let slot = (taken?.pointee.items ?? waiting.items).pointee.addValue(layout)
          slot.waiter.initialize(to: LineWaiter(deliver: deliver, sender: sender, cause: cause))
          fill(index, slot.value, oldest?.value)
          isAccepted = true
        }
      }
    }
    if admission == .entered { deliverAtOnce() }
    return isAccepted && admission != .refused
  }

  /// Puts a job in line, or performs it if the queue turns out to have no owner. A bound does not count jobs.
  ///
  /// - Parameter closing: whether it is the last job of the queue, which is closed from now on.
  /// - Returns: `false` if the job is the last one and the queue was closed before.
  @usableFromInline
  final func admitJob(asTheLast closing: Bool, _ job: @escaping Delivery) -> Bool {
    let job = LineWaiter(deliver: job, sender: CurrentThread.id, cause: .current)
    let admission = withLine { line in
      line.admit(to: self, evenIfClosed: !closing, closing: closing) { waiting, taken in
        (taken?.pointee.items ?? waiting.items).pointee.addJob(job)
      }
    }
    if admission == .entered { deliverAtOnce() }
    return admission != .refused
  }

  /// Adds a job to the line, for the owner.
  ///
  /// - Returns: `false` if there is no owner.
  @usableFromInline
  final func putInLine(_ job: @escaping Delivery) -> Bool {
    let job = LineWaiter(deliver: job, sender: CurrentThread.id, cause: .current)
    return withLine { line in
      line.waiting.value.withLock { waiting in
        guard detainOwner() else { return false }
        waiting.items.pointee.addJob(job)
        return true
      }
    }
  }

  /// Delivers what the caller has put in line itself, as the owner.
  private final func deliverAtOnce() {
    if isShared { awaitReaders() }
    drain()
  }
}
