import FleetProcesses

/// What publishers know of their appends: which numbers were acknowledged, and of which they do not know it.
struct AppendReport: Sendable {
  /// The numbers that one publisher counts in one partition.
  struct Series: Hashable, Codable, Sendable {
    var publisher: Int
    var partition: Int
  }

  enum Fate: String, Codable, Sendable {
    case acknowledged, unknown, refused
  }

  /// What has become of one call.
  struct Call: Codable, Sendable {
    var series: Series
    var fate: Fate
    var numbers: ClosedRange<Int>
    /// How often they were appended: again when there had been no answer.
    var tries = 1
    /// When it began and ended, seconds since 1970.
    var times: ClosedRange<Double> = 0...0
  }

  private var calls: [Series: [Call]] = [:]

  /// Takes the calls that publishers have reported.
  init(_ calls: [Call] = []) {
    self.calls = Dictionary(grouping: calls, by: \.series)
  }

  /// Reads the lines that publishers have written. A last line that is torn is left out.
  init(lines: some Sequence<some StringProtocol>) {
    self.init(lines.compactMap { jsonValue(of: $0) })
  }

  /// The publishers of a partition.
  func publishers(of partition: Int) -> Set<Int> {
    Set(calls.keys.filter { $0.partition == partition }.map(\.publisher))
  }

  /// The number of events with a fate.
  func count(_ fate: Fate) -> Int {
    calls.values.joined().reduce(0) { $0 + ($1.fate == fate ? $1.numbers.count : 0) }
  }

  /// The number of events that were appended more than once.
  var resent: Int {
    calls.values.joined().reduce(0) { $0 + ($1.tries > 1 ? $1.numbers.count : 0) }
  }

  /// The calls of a series, by the numbers of their events.
  func calls(of series: Series) -> [Int: Call] {
    (calls[series] ?? []).reduce(into: [:]) { calls, call in
      for number in call.numbers {
        assert(calls[number] == nil, "A publisher appends each number once.")
        calls[number] = call
      }
    }
  }
}
