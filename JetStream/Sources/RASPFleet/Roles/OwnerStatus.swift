/// What an owner tells several times a second, as a line.
struct OwnerStatus: Equatable, Sendable {
  /// The partitions whose rows it has, with the offset of the last reading that is folded.
  var offsets: [Int: Int] = [:]
  /// The readings that it has folded since its start.
  var folded = 0
  /// The sensor with the highest temperature.
  var hottest = ""

  init() {}

  var line: String {
    let parts = offsets.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }.joined(separator: ",")
    return "status \(folded) [\(parts)] \(hottest)"
  }

  init?(_ line: String) {
    let words = line.split(separator: " ", maxSplits: 3).map(String.init)
    guard words.count >= 3, words[0] == "status", let folded = Int(words[1]) else { return nil }
    self.folded = folded
    for part in words[2].dropFirst().dropLast().split(separator: ",") {
      let numbers = part.split(separator: ":").compactMap { Int($0) }
      guard numbers.count == 2 else { return nil }
      offsets[numbers[0]] = numbers[1]
    }
    hottest = words.count > 3 ? words[3] : ""
  }
}
