/// One row of the map of costs: an operation on the way of an event or a read, and how it is repeated.
public struct CostRow: Sendable {
  /// The name in the map and in the kept figures, such as `subject.send`. Words are separated by dots.
  public let name: String

  /// The operation in words, as the map shows it.
  public let operation: String

  /// What the cheapest sensible form should need, in instructions at the first size. A judgement.
  public let should: Int

  /// How often the operation is repeated while callgrind counts, at the first size.
  public let count: Int

  /// The best other library that was measured, if one has the operation.
  public let peer: Peer?

  /// The sizes at which the row is measured, and what is counted by them. One size where there is nothing to grow with.
  public let sizes: [Int]

  /// What `sizes` counts, such as `rows`; empty where there is one size only.
  public let unit: String

  /// How the cost grows by its documentation, where it is not flat, such as `O(subscribers)`; or the reason why the row
  /// costs more than it should.
  public let note: String

  let work: Work

  enum Work: Sendable {
    /// Runs on one thread only, so that its count repeats.
    case alone(@Sendable (Int) -> (Int) -> Void)
    /// Tasks or threads take part: the count is shown and does not gate.
    case together(@Sendable (Int) async -> (Int) async -> Void)
  }

  /// Whether two runs give the same figure.
  public var isRepeatable: Bool {
    if case .alone = work { true } else { false }
  }

  /// A row whose operation runs on one thread.
  ///
  /// - Parameter make: sets up for a size, and returns what repeats the operation as often as it is told. What is set
  ///   up lives as long as what is returned.
  public init(
    _ name: String,
    _ operation: String,
    should: Int,
    count: Int = 256,
    peer: Peer? = nil,
    sizes: [Int] = [1],
    of unit: String = "",
    note: String = "",
    make: @escaping @Sendable (_ size: Int) -> (_ count: Int) -> Void
  ) {
    self.init(name, operation, should, count, peer, sizes, unit, note, .alone(make))
  }

  /// A row in whose operation tasks or threads take part.
  public static func together(
    _ name: String,
    _ operation: String,
    should: Int,
    count: Int = 256,
    peer: Peer? = nil,
    sizes: [Int] = [1],
    of unit: String = "",
    note: String = "",
    make: @escaping @Sendable (_ size: Int) async -> (_ count: Int) async -> Void
  ) -> CostRow {
    CostRow(name, operation, should, count, peer, sizes, unit, note, .together(make))
  }

  private init(
    _ name: String,
    _ operation: String,
    _ should: Int,
    _ count: Int,
    _ peer: Peer?,
    _ sizes: [Int],
    _ unit: String,
    _ note: String,
    _ work: Work
  ) {
    self.name = name
    self.operation = operation
    self.should = should
    self.count = count
    self.peer = peer
    self.sizes = sizes
    self.unit = unit
    self.note = note
    self.work = work
  }
}

/// What another library needs for the same, in instructions: measured by the programs of the findings, with the newest
/// releases of autumn 2026.
public struct Peer: Sendable {
  /// The library's name.
  public let library: String

  /// What it needs for each value.
  public let instructions: Int

  /// The measurement of a library.
  public init(_ library: String, _ instructions: Int) {
    self.library = library
    self.instructions = instructions
  }
}
