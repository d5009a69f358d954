import Aggregate

/// What makes one file different from another.
package struct FileStamp: Sendable {
  let salt: UInt32
  let wallTime: UInt64
  let identity: UInt128

  package init(salt: UInt32, wallTime: UInt64, identity: UInt128) {
    self.salt = salt
    self.wallTime = wallTime
    self.identity = identity
  }

  static var now: FileStamp {
    FileStamp(salt: .random(in: .min ... .max), wallTime: WallClock.now, identity: .random(in: .min ... .max))
  }
}
