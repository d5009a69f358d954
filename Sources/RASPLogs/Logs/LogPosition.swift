/// The place of an entry: no other entry has it, in any log that has another name.
public struct LogPosition: Hashable, Sendable, CustomStringConvertible {
  /// The name of the log.
  public let log: String

  /// The partition, from 0.
  public let partition: Int

  /// The offset in the partition, from 1.
  public let offset: Int

  /// Puts a position together.
  public init(log: String, partition: Int, offset: Int) {
    self.log = log
    self.partition = partition
    self.offset = offset
  }

  /// The place as an identity for systems outside, such as `readings/3/17`.
  public var description: String { "\(log)/\(partition)/\(offset)" }
}
