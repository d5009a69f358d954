/// Divides the partitions of a log among its members, without a coordinator: members that know the same names come to
/// the same result.
///
/// A member that joins or leaves moves few partitions of the others. No member has more than its share, rounded up.
public enum LogAssignment {
  /// The partitions of one member.
  ///
  /// - Parameters:
  ///   - member: its name; without it among `members` there are none.
  ///   - members: the names of all members, in any order.
  ///   - partitions: how many there are.
  /// - Complexity: O(partitions × members).
  public static func share(
    of member: String,
    among members: some Sequence<String>,
    partitions: Int
  ) -> Set<Int> {
    let owners = owners(among: members, partitions: partitions)
    return Set(owners.indices.filter { owners[$0] == member })
  }

  /// The member of each partition; `nil` if there is no member.
  ///
  /// - Parameters:
  ///   - members: the names of all members, in any order.
  ///   - partitions: how many there are.
  /// - Complexity: O(partitions × members).
  public static func owners(
    among members: some Sequence<String>,
    partitions: Int
  ) -> [String?] {
    let members = Set(members).sorted()
    if members.isEmpty { return Array(repeating: nil, count: max(0, partitions)) }
    let most = (partitions + members.count - 1) / members.count
    let hashes = members.map(hash)
    var counts = members.map { _ in 0 }
    return (0..<max(0, partitions)).map { partition in
      // Rendezvous hashing: of those that have room, the one whose hash with the partition is the highest.
      let owner = members.indices.filter { counts[$0] < most }.max { first, second in
        mixed(hashes[first], partition) < mixed(hashes[second], partition)
      }
      guard let owner else { return nil }
      counts[owner] += 1
      return members[owner]
    }
  }

  /// FNV-1a: the same in each process.
  private static func hash(_ name: String) -> UInt64 {
    name.utf8.reduce(0xCBF2_9CE4_8422_2325) { hash, byte in (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  }

  /// The end of SplitMix64, so that similar names and numbers have hashes that are not.
  private static func mixed(_ hash: UInt64, _ partition: Int) -> UInt64 {
    var mixed = hash ^ (UInt64(truncatingIfNeeded: partition) &+ 1) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
