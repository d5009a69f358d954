/// A row of the table: a shape beside another one, and how the two must compare.
public struct Comparison: Sendable {
  /// What must be reached.
  public enum Goal: Sendable {
    /// So many times as long per event as the other, at most.
    case takesAtMost(Double)
    /// So many times as many events per second as the other, at least.
    case isFasterAtLeast(Double)
    /// So many nanoseconds per event, at most, on a quiet machine.
    case takesAtMostNanoseconds(Double)
  }

  /// What is measured, in words.
  public let title: String
  /// What it is measured against, in words.
  public let against: String
  /// What is measured.
  public let subject: Shape
  /// What it is measured against.
  public let reference: Shape
  /// What must be reached.
  public let goal: Goal

  init(_ title: String, against: String, _ subject: Shape, _ reference: Shape, _ goal: Goal) {
    self.title = title
    self.against = against
    self.subject = subject
    self.reference = reference
    self.goal = goal
  }
}
