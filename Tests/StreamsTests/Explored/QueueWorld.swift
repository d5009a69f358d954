@testable import Streams

/// Senders and a thread that cancels at one queue, with the tasks to which the line is handed over. The threads go the
/// ways of ``QueueWord``, in the steps of `QueueOwnership`.
struct QueueWorld: World {
  enum Item: Hashable {
    case value(sender: Int, number: Int)
    case cancel
  }

  /// What a thread does next.
  enum Step: Hashable {
    case next
    /// It has seen an idle queue, and tries to enter it.
    case enter(Item)
    /// It comes to the lock of the line.
    case admit(Item)
    /// It owns the queue, and is about to deliver, or delivers.
    case deliver(Item, Then)
    case delivering(Item, Then)
    case leave
    case leaveUnlessWaiting(handingOver: Bool)
    /// It delivers what waits; so many items more at most.
    case line(left: Int, asTask: Int?)
    case handOver(asTask: Int?)
    case takeUp(task: Int)
    case done
  }

  /// What a thread does when it has delivered.
  enum Then: Hashable {
    case leave, handOver
    case goOn(left: Int, asTask: Int?)
  }

  struct Thread: Hashable {
    var step = Step.next
    var left: [Item]
  }

  /// A mistake that the exploration has to find.
  enum Mistake: Hashable {
    case leavesWithoutLook, admitsWithoutWaiting, cancelDoesNotHandOver, ignoresCancellation
  }

  /// The number of items that one thread delivers for others; small, so that all that follows happens.
  static let limit = 1

  var word = QueueWord.idle.bits
  var waiting: [Item] = []
  var taken: [Item] = []
  var task = 0
  var taskIsOnItsWay = false
  var threads: [Thread]
  let canceller: Int?
  let mistake: Mistake?

  var accepted: [Item] = []
  var delivered: [Item] = []
  var isInside = false
  var isCancelled = false
  var hasCancelled = false
  var fault: String?

  /// - Parameter senders: how many values each sends. The last thread cancels.
  init(senders: [Int], cancels: Bool, mistake: Mistake? = nil) {
    threads = senders.enumerated().map { sender, count in
      Thread(left: (0..<count).map { .value(sender: sender, number: $0) })
    }
    canceller = cancels ? senders.count : nil
    if cancels { threads.append(Thread(left: [.cancel])) }
    self.mistake = mistake
  }

  func nexts() -> [QueueWorld] {
    threads.indices.filter { threads[$0].step != .done }.map { thread in
      var next = self
      next.go(thread)
      return next
    }
  }

  var faultAtEnd: String? {
    if QueueWord(word) != .idle { return "the queue is left with \(word)" }
    if !waiting.isEmpty || !taken.isEmpty { return "something waits for ever: \(waiting) \(taken)" }
    let expected = accepted.filter { $0 != .cancel }
    let inOrder = isCancelled ? expected.filter(delivered.contains) : expected
    return delivered == inOrder ? nil : "delivered \(delivered) of \(expected)"
  }

  // MARK: Steps

  private mutating func go(_ thread: Int) {
    switch threads[thread].step {
    case .next:
      guard !threads[thread].left.isEmpty else { return threads[thread].step = .done }
      let item = threads[thread].left.removeFirst()
      // Silence begins here: the lifetime of the subscription ends before the queue is asked.
      if item == .cancel { isCancelled = true }
      let isIdle = way(of: item)(QueueWord(word)) != nil
      threads[thread].step = isIdle ? .enter(item) : .admit(item)
    case .enter(let item):
      guard exchange(way(of: item)) else { return threads[thread].step = .admit(item) }
      accepted.append(item)
      threads[thread].step = .deliver(item, item == .cancel ? .handOver : .leave)
    case .admit(let item): admit(item, thread)
    case .deliver(let item, let then):
      if isInside { fault = "two threads are inside" }
      isInside = true
      if item != .cancel, !isCancelled || mistake == .ignoresCancellation {
        if hasCancelled { fault = "\(item) is delivered when cancel has returned" }
        delivered.append(item)
      }
      threads[thread].step = .delivering(item, then)
    case .delivering(_, let then):
      isInside = false
      switch then {
      case .leave: threads[thread].step = .leave
      case .handOver: threads[thread].step = .leaveUnlessWaiting(handingOver: true)
      case .goOn(let left, let task): threads[thread].step = .line(left: left, asTask: task)
      }
    case .leave:
      if mistake == .leavesWithoutLook {
        word = QueueWord(word).removing(.owned).bits
        return end(thread)
      }
      if exchange({ $0.left() }) { return end(thread) }
      threads[thread].step = .leaveUnlessWaiting(handingOver: false)
    case .leaveUnlessWaiting(let isHandingOver):
      if exchange({ $0.leftUnlessWaiting() }) { return end(thread) }
      threads[thread].step = isHandingOver ? .handOver(asTask: nil) : .line(left: Self.limit, asTask: nil)
    case .line(let left, let task): deliverLine(left, task, thread)
    case .handOver(let ofTask):
      if mistake == .cancelDoesNotHandOver, ofTask == nil, isCancelled {
        _ = exchange { $0.leftFullLine() }
        return end(thread)
      }
      if !exchange({ $0.leftFullLine() }) { fault = "a line is handed over that nothing waits in" }
      if let ofTask { return threads[thread].step = .takeUp(task: ofTask) }
      if !taskIsOnItsWay {
        task += 1
        taskIsOnItsWay = true
        threads.append(Thread(step: .takeUp(task: task), left: []))
      }
      end(thread)
    case .takeUp(let number):
      guard taskIsOnItsWay, number == task else { return end(thread) }
      var admission = QueueWord.Admission.refused
      _ = exchange { word in
        let (next, result) = word.admitting(evenIfClosed: true, closing: false)
        admission = result
        return next
      }
      if admission == .tookOver { return threads[thread].step = .line(left: Self.limit, asTask: number) }
      taskIsOnItsWay = false
      end(thread)
    case .done: break
    }
  }

  private func way(of item: Item) -> (QueueWord) -> QueueWord? {
    item == .cancel ? { $0.enteredToRun() } : { $0.entered(closing: false) }
  }

  private mutating func exchange(_ way: (QueueWord) -> QueueWord?) -> Bool {
    guard let next = way(QueueWord(word)) else { return false }
    word = next.bits
    return true
  }

  private mutating func end(_ thread: Int) {
    if thread == canceller { hasCancelled = true }
    threads[thread].step = .next
  }

  /// What is done under the lock of the line.
  private mutating func admit(_ item: Item, _ thread: Int) {
    var (next, admission) = QueueWord(word).admitting(evenIfClosed: item == .cancel, closing: false)
    if mistake == .admitsWithoutWaiting, admission == .queued { next = QueueWord(word) }
    word = next.bits
    accepted.append(item)
    if admission == .queued || admission == .tookOver { waiting.append(item) }
    switch admission {
    case .refused: fault = "\(item) is refused"
    case .queued: end(thread)
    case .tookOver: threads[thread].step = .leaveUnlessWaiting(handingOver: item == .cancel)
    case .entered: threads[thread].step = .deliver(item, item == .cancel ? .handOver : .leave)
    }
  }

  private mutating func deliverLine(_ left: Int, _ task: Int?, _ thread: Int) {
    if left > 0, !taken.isEmpty {
      let item = taken.removeFirst()
      threads[thread].step = .deliver(item, .goOn(left: left - 1, asTask: task))
    } else if taken.isEmpty, waiting.isEmpty {
      taskIsOnItsWay = false
      if !exchange({ $0.leftEmptyLine() }) { fault = "an empty line cannot be left" }
      end(thread)
    } else {
      if taken.isEmpty { swap(&taken, &waiting) }
      if left == 0 { threads[thread].step = .handOver(asTask: task) }
    }
  }
}
