import Synchronization

// What has to wait is put in line, and the owner delivers it before it leaves. All of it is code that does not depend
// on the type of the values.
extension QueueOwnership {
  /// Work that waits for the owner.
  @usableFromInline
  typealias LineJob = @Sendable (QueueAccess) -> Void

  /// Puts values in line.
  ///
  /// - Parameters:
  ///   - store: puts the value with an index into its slot. It runs under the lock.
  ///   - drop: moves a value out that the bound drops for another one, to be released after this has returned. It runs
  ///     under the lock.
  /// - Returns: `entered` if the queue turned out to be idle: the caller owns it now, and delivers the values itself.
  ///   `refused` if the queue is closed, or if the bound of the line admits none of the values.
  @usableFromInline
  final func admit(
    _ count: Int,
    storing store: (_ index: Int, _ slot: UnsafeMutableRawPointer) -> Void,
    dropping drop: (_ slot: UnsafeMutableRawPointer) -> Void
  ) -> QueueWord.Admission {
    let waiter = LineWaiter(job: nil, sender: CurrentThread.id, cause: .current)
    var isAccepted = count == 0
    let admission = putInLine(evenIfClosed: false, closing: false, waiter.sender) { line, waiting in
      for index in 0..<count {
        guard let slot = line.addValue(waiter, to: &waiting, dropping: drop) else { continue }
        store(index, slot.value)
        isAccepted = true
      }
    }
    if admission == .tookOver { drain() }
    return isAccepted || admission == .entered ? admission : .refused
  }

  /// Puts a job in line, or runs it if the queue turns out to be idle. A bound does not count jobs.
  ///
  /// - Parameters:
  ///   - closing: whether it is the last job of the queue, which is closed from now on.
  ///   - isDropping: whether the values that wait before the last job are dropped instead of delivered.
  ///   - isDelivering: whether the caller delivers what waits if it becomes the owner, and does not hand it over.
  /// - Returns: `false` if the job is the last one and the queue was closed before. Then nothing is dropped.
  @usableFromInline
  @discardableResult
  final func admitJob(
    closing: Bool = false,
    droppingPending isDropping: Bool = false,
    delivering isDelivering: Bool = true,
    _ job: @escaping LineJob
  ) -> Bool {
    let waiter = LineWaiter(job: job, sender: CurrentThread.id, cause: .current)
    let admission = putInLine(evenIfClosed: !closing, closing: closing, waiter.sender) { line, waiting in
      waiting.items.value.append(waiter)
      if isDropping { line.beginDropping() }
    }
    switch admission {
    case .refused: return false
    case .queued: return true
    case .tookOver: break
    case .entered: job(QueueAccess(of: self))
    }
    if isDelivering { drain() } else { leaveOrHandOver() }
    return true
  }

  /// Lets `add` put something in line, unless the queue is closed, or turns out to be idle.
  private final func putInLine(
    evenIfClosed: Bool,
    closing: Bool,
    _ sender: UInt,
    _ add: (DeliveryLine, inout DeliveryLine.Waiting) -> Void
  ) -> QueueWord.Admission {
    var alarm: LineAlarm?
    let admission = withLine { line in
      line.waiting.value.withLock { waiting in
        let admission = occupy(evenIfClosed: evenIfClosed, closing: closing)
        if admission == .queued || admission == .tookOver {
          add(line, &waiting)
          waiting.noteSender(sender)
          alarm = waiting.alarm.take()
        }
        return admission
      }
    }
    if let alarm { raise(alarm) }
    return admission
  }

  /// Takes an idle queue, or makes the owner look at the line before it leaves. The caller holds the line's lock.
  final func occupy(evenIfClosed: Bool, closing: Bool) -> QueueWord.Admission {
    var admission = QueueWord.Admission.refused
    // Where the word stays as it is, an exchange would only take the cache line away from the processor that delivers.
    _ = exchange { word in
      let (next, result) = word.admitting(evenIfClosed: evenIfClosed, closing: closing)
      admission = result
      return next == word ? nil : next
    }
    if admission == .entered || admission == .tookOver { noteOwner() }
    return admission
  }

  // MARK: The line

  /// The number of values and jobs that wait.
  @usableFromInline package final var pendingCount: Int {
    presentLine?._withUnsafeGuaranteedRef { $0.count } ?? 0
  }

  /// The number of values that the bound of the line has dropped.
  @usableFromInline package final var droppedCount: Int {
    presentLine?._withUnsafeGuaranteedRef { $0.droppedCount } ?? 0
  }

  /// Calls `body` with the line, which is made if there is none.
  ///
  /// The line lives as long as the queue, so nothing is retained: all threads that send would write the same count.
  final func withLine<Result>(_ body: (DeliveryLine) -> Result) -> Result {
    (presentLine ?? installLine())._withUnsafeGuaranteedRef { body($0) }
  }

  @inline(never)
  private final func installLine() -> Unmanaged<DeliveryLine> {
    let new = Unmanaged.passRetained(DeliveryLine(of: values, keeping: policy))
    let opaque = Unmanaged<AnyObject>.fromOpaque(new.toOpaque())
    if line.compareExchange(expected: nil, desired: opaque, ordering: .acquiringAndReleasing).exchanged { return new }
    new.release()
    return presentLine.unsafelyUnwrapped
  }

  /// The line, if there is one. Its type is known, because nothing else is ever stored in its place.
  private final var presentLine: Unmanaged<DeliveryLine>? {
    @inline(__always) get { line.load(ordering: .acquiring).map { .fromOpaque($0.toOpaque()) } }
  }
}
