/// The task on the concurrent pool to which the owner of a line has handed it over, and the priority that it has.
///
/// What waits for the task is delivered no later than the task runs. So a thread that puts something in line raises the
/// priority of the task to its own.
///
/// Priorities are kept as numbers: the layout of `TaskPriority` belongs to the system's library, and a structure that
/// has one in it is copied by slow code.
struct LineHelper: Sendable {
  /// A task whose priority is to be raised, after unlocking.
  struct Rise: Sendable {
    let task: Task<Void, Never>
    let priority: UInt8

    /// Raises it, where the system can.
    @inline(never)
    func perform() {
      if #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) {
        task.escalatePriority(to: TaskPriority(rawValue: priority))
      }
    }
  }

  /// Counts the times that the line was handed over, so that a task is not taken for a later one.
  private var number = 0
  private var isRunning = false
  private var task: Task<Void, Never>?
  private var priority: UInt8 = 0

  /// The line is handed over to a task that is about to be made.
  ///
  /// - Returns: the number of the task.
  mutating func begin(_ priority: UInt8) -> Int {
    number += 1
    isRunning = true
    self.priority = priority
    return number
  }

  /// Notes the task that was made.
  ///
  /// - Returns: what raises its priority, if a sender with a higher one waits for it by now.
  mutating func note(_ task: Task<Void, Never>, _ number: Int, startedWith first: UInt8) -> Rise? {
    guard isRunning, number == self.number else { return nil }
    self.task = task
    return priority > first ? Rise(task: task, priority: priority) : nil
  }

  /// The calling thread or task waits for the task.
  ///
  /// - Returns: what raises the priority of the task, if that is lower.
  @inline(__always)
  mutating func wait() -> Rise? {
    isRunning ? raise() : nil
  }

  @inline(never)
  private mutating func raise() -> Rise? {
    let priority = TaskPriority.ofSender.rawValue
    guard priority > self.priority else { return nil }
    self.priority = priority
    return task.map { Rise(task: $0, priority: priority) }
  }

  /// The task has come to the end of the line.
  ///
  /// - Returns: the task, to be released after unlocking.
  mutating func end() -> Task<Void, Never>? {
    isRunning = false
    return task.take()
  }
}

extension TaskPriority {
  /// The priority of the task or thread that runs this. Where threads have none, it is that of a task which a thread
  /// starts.
  static var ofSender: TaskPriority {
    let priority = Task.currentPriority
    return priority.rawValue == 0 ? .medium : priority
  }
}
