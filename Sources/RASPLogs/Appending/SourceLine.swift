import Aggregate

/// What sources have sent that belongs to one partition, and that waits to be appended.
struct SourceLine<Event: Sendable>: Sendable {
  typealias Contents = (events: [(event: Event, source: SourceID?)], marks: [@Sendable () -> Void])

  var waiting: [(event: Event, source: SourceID?)] = []
  /// What is called when everything that waits is appended.
  var marks: [@Sendable () -> Void] = []
  /// Whether a task is appending, or will.
  var isBusy = false
  var task: Task<Void, Never>?
  /// The newest entry that sources have appended.
  var newest = 0
  /// Whether it was written that events of the partition were not appended.
  var isReported = false

  /// - Returns: whether a task has to be started.
  mutating func begin() -> Bool {
    if isBusy { return false }
    isBusy = true
    return true
  }

  /// Takes all out that waits, and what is to be called behind it; `nil` if there is nothing, and the task ends.
  mutating func take() -> Contents? {
    if waiting.isEmpty, marks.isEmpty {
      (isBusy, task) = (false, nil)
      return nil
    }
    defer { (waiting, marks) = ([], []) }
    return (waiting, marks)
  }
}
