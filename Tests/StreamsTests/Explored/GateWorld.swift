/// The owner of a state, who changes it again and again, and readers, at one `StateGate`: its steps, with the locks of
/// the platform as who holds them.
struct GateWorld: World {
  enum Step: Hashable {
    case begin
    /// The owner waits for the end of a turn, locks and begins a change, ends it, and unlocks.
    case awaitTurn, lock, changeRest, unlock
    /// The reader has seen an open gate, and tries the lock.
    case tryLock
    /// The reader waits for its turn, asks to be admitted, and waits for the lock.
    case queue, ask, lockInTurn
    case copy, copyRest, leave, leaveTurn, done
  }

  struct Thread: Hashable {
    var step = Step.begin
    var isInTurn = false
    /// How many changes had begun when the reader asked; `nil` before it does.
    var begunBefore: Int?
    var copied = 0
  }

  /// A mistake that the exploration has to find.
  enum Mistake: Hashable {
    case ownerDoesNotLook, ownerDoesNotLock, readerAsksWithoutTurn
  }

  /// The owner is the first thread.
  var threads: [Thread]
  var changesLeft: Int
  var holder: Int?
  var lockHolder: Int?
  var turnHolder: Int?
  var isAsked = false
  var begun = 0
  var first = 0
  var second = 0
  var fault: String?
  let mistake: Mistake?

  init(changes: Int, readers: Int, mistake: Mistake? = nil) {
    threads = Array(repeating: Thread(), count: readers + 1)
    changesLeft = changes
    self.mistake = mistake
  }

  func nexts() -> [GateWorld] {
    threads.indices.compactMap { thread in
      var next = self
      return next.go(thread) ? next : nil
    }
  }

  var faultAtEnd: String? {
    threads.allSatisfy { $0.step == .done } ? nil : "threads wait for ever: \(threads.map(\.step))"
  }

  /// - Returns: `false` if the thread waits.
  private mutating func go(_ thread: Int) -> Bool {
    switch threads[thread].step {
    case .begin where thread == 0:
      if changesLeft == 0 { return to(.done, thread) }
      changesLeft -= 1
      return to(isAsked && mistake != .ownerDoesNotLook ? .awaitTurn : .lock, thread)
    case .begin: return to(holder == nil ? .tryLock : .queue, thread)
    case .awaitTurn: return turnHolder == nil && to(.lock, thread)
    case .lock:
      guard lockHolder == nil || mistake == .ownerDoesNotLock else { return false }
      (lockHolder, holder) = (thread, thread)
      begun += 1
      first += 1
      return to(.changeRest, thread)
    case .changeRest:
      second += 1
      return to(.unlock, thread)
    case .unlock:
      (holder, lockHolder) = (nil, nil)
      return to(.begin, thread)
    case .tryLock:
      if lockHolder != nil { return to(.queue, thread) }
      lockHolder = thread
      return to(.copy, thread)
    case .queue:
      if mistake == .readerAsksWithoutTurn, threads[thread].begunBefore == nil {
        isAsked = true
        threads[thread].begunBefore = begun
        return true
      }
      guard turnHolder == nil else { return false }
      turnHolder = thread
      threads[thread].isInTurn = true
      return to(.ask, thread)
    case .ask:
      isAsked = true
      if threads[thread].begunBefore == nil { threads[thread].begunBefore = begun }
      return to(.lockInTurn, thread)
    case .lockInTurn:
      guard lockHolder == nil else { return false }
      lockHolder = thread
      isAsked = false
      return to(.copy, thread)
    case .copy:
      holder = thread
      threads[thread].copied = first
      return to(.copyRest, thread)
    case .copyRest:
      if threads[thread].copied != second { fault = "a copy is torn" }
      if let before = threads[thread].begunBefore, begun - before > 1 {
        fault = "a read waits for \(begun - before) changes that began when it had asked"
      }
      return to(.leave, thread)
    case .leave:
      (holder, lockHolder) = (nil, nil)
      return to(threads[thread].isInTurn ? .leaveTurn : .done, thread)
    case .leaveTurn:
      turnHolder = nil
      return to(.done, thread)
    case .done: return false
    }
  }

  private mutating func to(_ step: Step, _ thread: Int) -> Bool {
    threads[thread].step = step
    return true
  }
}
