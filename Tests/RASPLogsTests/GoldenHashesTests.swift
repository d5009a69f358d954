import Aggregate
import RASPLogs
import Testing

/// The values stand in the page of the formats. They were computed by another program, so that writers in other
/// languages find the same partitions.
@Suite("Which partition a key belongs to, and a partition to whom")
struct GoldenHashesTests {
  @Test("LOG-24: the partitions of keys")
  func keys() {
    let golden: [(key: String, of8: Int, of64: Int)] = [
      ("", 5, 5),
      ("a", 4, 44),
      ("boiler-7", 0, 40),
      ("42", 3, 3),
      ("größe", 2, 26),
    ]
    for (key, of8, of64) in golden {
      #expect(
        PartitionHasher.partition(of: key, among: 8) == of8 && PartitionHasher.partition(of: key, among: 64) == of64,
        "\(key)"
      )
      if let number = Int(key) { #expect(PartitionHasher.partition(of: number, among: 64) == of64) }
    }
    // More partitions than the hash has bits in one half show all of it.
    #expect(PartitionHasher.partition(of: "a", among: 4_000_000_000) == 3_826_002_220)
  }

  @Test("LOG-24: the partitions of members")
  func members() {
    let golden = [
      "one": [0, 1, 2],
      "three": [3, 4, 6],
      "two": [5, 7],
    ]
    for (member, partitions) in golden {
      #expect(LogAssignment.share(of: member, among: ["two", "one", "three"], partitions: 8) == Set(partitions))
    }
  }
}
