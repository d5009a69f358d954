package import RASPJournal

extension JournalClock {
  /// A time that stands still, and salts that differ by the number of calls of the disk.
  package static func numbered(_ disk: any FileSystem) -> JournalClock {
    JournalClock {
      { .zero }
    } stamp: {
      let number = (disk as? SimulatedDisk)?.calls.count ?? 0
      return FileStamp(
        salt: UInt32(truncatingIfNeeded: 0x5A17_0000 + number),
        wallTime: 1_790_000_000_000_000_000,
        identity: 42
      )
    }
  }
}
