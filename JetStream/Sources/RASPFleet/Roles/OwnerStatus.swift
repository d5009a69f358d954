/// What an owner tells several times a second.
struct OwnerStatus: Equatable, Codable, Sendable {
  /// The partitions whose rows it has, with the offset of the last reading that is folded.
  var offsets: [Int: Int] = [:]
  /// The readings that it has folded since its start.
  var folded = 0
  /// The sensor with the highest temperature.
  var hottest = ""
}
