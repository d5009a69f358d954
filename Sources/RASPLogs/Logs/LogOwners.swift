/// A member of a log, as the others see it.
public struct LogOwner: Hashable, Sendable {
  /// A name that no other member has.
  public let member: String

  /// Where it is reached: what the application has said, such as the address of a server. The log does not look at it.
  public let address: String?

  /// Puts both together.
  public init(_ member: String, at address: String? = nil) {
    self.member = member
    self.address = address
  }
}

/// Which member each partition of a log is assigned to, at some moment; see ``LoggedAggregator/owners``.
///
/// A member that was just assigned a partition may still be taking it over.
public struct LogOwners: Equatable, Sendable {
  private let owners: [LogOwner?]

  /// Makes a table.
  ///
  /// - Parameter owners: the owner of each partition; `nil` where there is none, or where it is not known.
  public init(_ owners: [LogOwner?]) {
    self.owners = owners
  }

  /// Divides partitions among members, as ``LogAssignment`` does.
  ///
  /// - Parameters:
  ///   - partitions: how many there are.
  ///   - members: all members, in any order. Of several with one name, one counts.
  /// - Complexity: O(partitions × members).
  public init(dividing partitions: Int, among members: some Sequence<LogOwner>) {
    let members = Dictionary(members.map { ($0.member, $0) }) { first, _ in first }
    owners = LogAssignment.owners(among: members.keys, partitions: partitions)
      .map { name in name.flatMap { members[$0] } }
  }

  /// The number of partitions.
  public var count: Int { owners.count }

  /// The owner of a partition; `nil` if there is none, or if it is not known.
  public subscript(partition: Int) -> LogOwner? {
    owners.indices.contains(partition) ? owners[partition] : nil
  }

  /// The owner of the row of a key; `nil` if there is none, or if it is not known.
  public func owner(of key: some PartitionKey) -> LogOwner? {
    self[PartitionHasher.partition(of: key, among: owners.count)]
  }

  /// The partitions of a member.
  public func partitions(of member: String) -> Set<Int> {
    Set(owners.indices.filter { owners[$0]?.member == member })
  }

  /// All members that own something.
  public var members: Set<LogOwner> { Set(owners.compactMap { $0 }) }
}
