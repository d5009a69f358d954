/// What an owner has done and said, line by line in a file of its own, which is there also when it was killed.
struct OwnerReport: Sendable {
  enum Line: Equatable, Sendable {
    /// A record was read.
    case read(partition: Int, revision: UInt64)
    /// A record was replaced.
    case commit(partition: Int, offset: Int, replacing: UInt64, revision: UInt64)
    /// The owner was told that another one has replaced the record.
    case deposed(partition: Int, replacing: UInt64)
    /// There was no answer to the replacement of a record.
    case unanswered(partition: Int, replacing: UInt64)
    /// An entry was reacted to, while the owner had the record with the revision.
    case reaction(partition: Int, offset: Int, revision: UInt64)
    /// An entry was passed over by the log.
    case skipped(partition: Int, offset: Int)
  }

  let lines: [Line]

  /// Reads the lines of a file. A last line that is torn is left out.
  init(text: String) {
    lines = text.split(separator: "\n").compactMap { Line($0) }
  }
}

extension OwnerReport.Line {
  /// The line as it stands in a file: a letter, and numbers.
  var text: String {
    switch self {
    case .read(let partition, let revision): "l \(partition) \(revision) ."
    case .commit(let partition, let offset, let replacing, let revision):
      "c \(partition) \(offset) \(replacing) \(revision) ."
    case .deposed(let partition, let replacing): "d \(partition) \(replacing) ."
    case .unanswered(let partition, let replacing): "u \(partition) \(replacing) ."
    case .reaction(let partition, let offset, let revision): "r \(partition) \(offset) \(revision) ."
    case .skipped(let partition, let offset): "s \(partition) \(offset) ."
    }
  }

  /// - Returns: `nil` if the text is no line, or is torn.
  init?(_ text: some StringProtocol) {
    let words = text.split(separator: " ")
    // The point at the end tells that the last number is whole.
    guard words.count > 2, words.last == "." else { return nil }
    let numbers = words.dropFirst().dropLast().compactMap { Int($0) }
    switch (words[0], numbers.count) {
    case ("l", 2): self = .read(partition: numbers[0], revision: UInt64(numbers[1]))
    case ("c", 4):
      self = .commit(
        partition: numbers[0],
        offset: numbers[1],
        replacing: UInt64(numbers[2]),
        revision: UInt64(numbers[3])
      )
    case ("d", 2): self = .deposed(partition: numbers[0], replacing: UInt64(numbers[1]))
    case ("u", 2): self = .unanswered(partition: numbers[0], replacing: UInt64(numbers[1]))
    case ("r", 3): self = .reaction(partition: numbers[0], offset: numbers[1], revision: UInt64(numbers[2]))
    case ("s", 2): self = .skipped(partition: numbers[0], offset: numbers[1])
    default: return nil
    }
  }
}
