import RASPPrimitives

/// The tasks that wait until the line of a ``DeliveryQueue`` has room for what they send, in the order in which they
/// came.
///
/// ```
///   task ──▶ the line is full? ──no──▶ line
///                 │ yes                 ▲
///                 ▼                     │  the owner, when it has taken something
///              waits here ──────────────┘
/// ```
///
/// The owner itself puts their values in line as soon as there is room, and then they go on. So the first that waits is
/// the first that is served, and the bound holds.
///
/// Invariant, under the lock of the line: if a task waits here, the line is full, and something owns the queue or is
/// about to.
struct WaitingSenders: ~Copyable, Sendable {
  /// A task that waits.
  struct Sender: Sendable {
    let number: Int
    let layout: SlotLayout
    let waiter: LineWaiter
    /// Puts the value in its slot.
    let fill: @Sendable (UnsafeMutableRawPointer) -> Void
    let continuation: CheckedContinuation<Bool, Never>
  }

  private var senders = RingBuffer<Sender>()
  private var lastNumber = 0

  var isEmpty: Bool { senders.isEmpty }

  var count: Int { senders.count }

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  mutating func add(_ sender: Sender) { senders.append(sender) }

  /// Takes out the task that has waited for the longest time.
  mutating func removeFirst() -> Sender? { senders.popFirst() }

  /// Takes out the task with a number; `nil` if it waits no longer.
  ///
  /// - Complexity: O(tasks that wait).
  mutating func remove(_ number: Int) -> Sender? {
    var found: Sender?
    for _ in 0..<senders.count {
      guard let sender = senders.popFirst() else { break }
      if sender.number == number { found = sender } else { senders.append(sender) }
    }
    return found
  }

  /// Takes all of them out, when the queue is closed.
  mutating func removeAll() -> [Sender] {
    var all: [Sender] = []
    while let sender = senders.popFirst() { all.append(sender) }
    return all
  }
}

extension [WaitingSenders.Sender] {
  /// Lets the tasks go on.
  ///
  /// - Parameter isAccepted: whether their values stand in the line.
  func resume(_ isAccepted: Bool) {
    for sender in self { sender.continuation.resume(returning: isAccepted) }
  }
}
