/// The task on the concurrent pool to which the owner of a line has handed it over, and how urgent it is.
///
/// It is started with the highest priority that is known then: of the owner, and of those that have put something in
/// line since it was empty. It keeps that priority, also when a more urgent sender comes later.
struct LineHelper: Sendable {
  /// Counts the times that the line was handed over, so that a task is not taken for a later one.
  private var number = 0
  /// Is `true` from the hand-over until the line has come to its end, or the task has found another owner.
  private var isRunning = false
  /// The highest priority of those that have put something in line since it was empty. It is a number: the layout of
  /// `TaskPriority` belongs to the system's library, and a structure that has one in it is copied by slow code.
  private var priority: UInt8 = 0

  /// The line is handed over to a task that is about to be made.
  ///
  /// - Parameter owner: the priority of the owner.
  /// - Returns: the number of the task, and its priority; `nil` if a task is on its way already.
  mutating func begin(_ owner: UInt8) -> (number: Int, priority: UInt8)? {
    if isRunning { return nil }
    number += 1
    isRunning = true
    return (number, max(owner, priority))
  }

  /// Whether the task with this number is the one that the line was handed over to.
  func isRunning(_ number: Int) -> Bool { isRunning && number == self.number }

  /// The calling thread or task waits for the owner or for the task.
  @inline(never)
  mutating func wait() { priority = max(priority, TaskPriority.ofSender.rawValue) }

  /// The task has found another owner, and ends.
  mutating func stop() { isRunning = false }

  /// The line has come to its end.
  mutating func end() {
    isRunning = false
    priority = 0
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
