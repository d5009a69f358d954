/// The task on the concurrent pool to which the owner of a line has handed it over, and how urgent it is.
///
/// What waits for the task is delivered no later than the task runs. So it has the priority of the most urgent thread
/// that waits: of the owner, and of those that had put something in line by then. A thread that puts something in line
/// later raises the task to its own priority.
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
  /// Is `true` from the hand-over until the line has come to its end, or the task has found another owner.
  private(set) var isRunning = false
  /// Is `true` if a priority is known, or the line is handed over: most lines come to their end before that.
  private var isUsed = false
  private var task: Task<Void, Never>?
  /// The priority of the task, while there is one; otherwise the highest of the threads that have put something in line
  /// since it was taken the last time.
  private var priority: UInt8 = 0
  /// The same of those before, whose items the owner has taken. With a bound they are taken one by one, and count until
  /// the line comes to its end.
  private var takenPriority: UInt8 = 0

  /// The line is handed over to a task that is about to be made.
  ///
  /// - Parameter owner: the priority of the owner.
  /// - Returns: the number of the task, and its priority; `nil` if a task is on its way already.
  mutating func begin(_ owner: UInt8) -> (number: Int, priority: UInt8)? {
    if isRunning { return nil }
    number += 1
    isRunning = true
    isUsed = true
    priority = max(owner, priority, takenPriority)
    return (number, priority)
  }

  /// Whether the task with this number is the one that the line was handed over to.
  func isRunning(_ number: Int) -> Bool { isRunning && number == self.number }

  /// Notes the task that was made.
  ///
  /// - Returns: what raises its priority, if a sender with a higher one waits for it by now.
  mutating func note(_ task: Task<Void, Never>, _ number: Int, startedWith first: UInt8) -> Rise? {
    guard isRunning(number) else { return nil }
    self.task = task
    return priority > first ? Rise(task: task, priority: priority) : nil
  }

  /// The calling thread or task waits for the owner or for the task.
  ///
  /// - Returns: what raises the priority of the task, if that is lower.
  @inline(never)
  mutating func wait() -> Rise? {
    let priority = TaskPriority.ofSender.rawValue
    guard priority > self.priority else { return nil }
    self.priority = priority
    isUsed = true
    return isRunning ? task.map { Rise(task: $0, priority: priority) } : nil
  }

  /// The owner has taken all that waited.
  @inline(__always)
  mutating func noteTaken() {
    if isUsed { forgetTaken() }
  }

  @inline(never)
  private mutating func forgetTaken() {
    if isRunning { return }
    takenPriority = priority
    priority = 0
  }

  /// The task has found another owner, and ends.
  ///
  /// - Returns: the task, to be released after unlocking.
  mutating func stop() -> Task<Void, Never>? {
    isRunning = false
    return task.take()
  }

  /// The line has come to its end.
  ///
  /// - Returns: the task, to be released after unlocking.
  @inline(__always)
  mutating func end() -> Task<Void, Never>? {
    isUsed ? forget() : nil
  }

  @inline(never)
  private mutating func forget() -> Task<Void, Never>? {
    isUsed = false
    isRunning = false
    priority = 0
    takenPriority = 0
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
