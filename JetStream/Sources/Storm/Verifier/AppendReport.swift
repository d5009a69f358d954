/// What publishers know of their appends: which numbers were acknowledged, and of which they do not know it.
struct AppendReport: Equatable, Sendable {
  /// The numbers that one publisher counts in one partition.
  struct Series: Hashable, Sendable {
    var publisher: Int
    var partition: Int
  }

  enum Fate: String, Sendable {
    case acknowledged = "A"
    case unknown = "U"
  }

  private(set) var ranges: [Series: [(fate: Fate, numbers: ClosedRange<Int>)]] = [:]

  init() {}

  /// Reads the lines that publishers have written. A last line that is torn is left out.
  init(lines: some Sequence<Substring>) {
    for line in lines {
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().compactMap { Int($0) }
      guard words.count == 5, numbers.count == 4, let fate = Fate(rawValue: String(words[0])) else { continue }
      guard numbers[2] <= numbers[3] else { continue }
      add(fate, numbers[2]...numbers[3], of: Series(publisher: numbers[0], partition: numbers[1]))
    }
  }

  static func line(_ fate: Fate, _ numbers: ClosedRange<Int>, of series: Series) -> String {
    "\(fate.rawValue) \(series.publisher) \(series.partition) \(numbers.lowerBound) \(numbers.upperBound)"
  }

  mutating func add(_ fate: Fate, _ numbers: ClosedRange<Int>, of series: Series) {
    ranges[series, default: []].append((fate, numbers))
  }

  /// The number of events with a fate.
  func count(_ fate: Fate) -> Int {
    ranges.values.joined().reduce(0) { $0 + ($1.fate == fate ? $1.numbers.count : 0) }
  }

  /// The fates of the numbers of a series.
  func fates(of series: Series) -> [Int: Fate] {
    var fates: [Int: Fate] = [:]
    for (fate, numbers) in ranges[series] ?? [] {
      for number in numbers { fates[number] = fate }
    }
    return fates
  }

  static func == (one: AppendReport, other: AppendReport) -> Bool {
    one.ranges.mapValues { $0.map { "\($0)" } } == other.ranges.mapValues { $0.map { "\($0)" } }
  }
}
