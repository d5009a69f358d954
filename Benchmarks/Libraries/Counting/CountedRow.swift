/// A row of the table of goals that is counted: an operation on the way of an event or a read, and how it is repeated.
/// What it is in words, and what it may cost, stands in `goals.tsv`.
public struct CountedRow: Sendable {
  /// The name in `goals.tsv`, such as `subject.send`.
  public let name: String

  /// How often the operation is repeated while callgrind counts.
  let count: Int

  let work: Work

  enum Work: Sendable {
    /// Runs on one thread only, so that its count repeats.
    case alone(@Sendable () -> (Int) -> Void)
    /// Tasks or threads take part, so the count differs a little from run to run.
    case together(@Sendable () async -> (Int) async -> Void)
  }

  /// Whether two runs give the same figure.
  public var isRepeatable: Bool {
    if case .alone = work { true } else { false }
  }

  /// A row whose operation runs on one thread.
  ///
  /// - Parameter make: sets up, and returns what repeats the operation as often as it is told. What is set up lives as
  ///   long as what is returned.
  public init(_ name: String, count: Int = 256, make: @escaping @Sendable () -> (_ count: Int) -> Void) {
    self.init(name, count, .alone(make))
  }

  /// A row in whose operation tasks or threads take part.
  public static func together(
    _ name: String,
    count: Int = 256,
    make: @escaping @Sendable () async -> (_ count: Int) async -> Void
  ) -> CountedRow {
    CountedRow(name, count, .together(make))
  }

  private init(_ name: String, _ count: Int, _ work: Work) {
    self.name = name
    self.count = count
    self.work = work
  }
}
