enum TornTail {
  /// How many times as many bytes as there are may be read to look for batches. What was written needs two; bytes in
  /// which a batch seems to begin everywhere are not torn.
  private static let mostPasses = 16

  /// Returns `true` if the bytes behind the last whole batch may be cut off.
  ///
  /// - Parameters:
  ///   - rest: those bytes.
  ///   - salt: the salt of the segment.
  ///   - nextEvent: the number of the event that should begin there.
  static func mayBeCut(_ rest: SegmentRest, salt: UInt32, nextEvent: UInt64) -> Bool {
    var (start, budget) = (0, mostPasses * min(rest.count, SegmentRest.mostBytes))
    while let batch = nextBatch(in: rest, from: start, salt: salt, nextEvent: nextEvent, &budget) {
      // A whole batch in the wrong place was not torn.
      if batch.start == 0 { return false }
      assert(batch.start > 0 && batch.header.firstEvent >= nextEvent, "a batch that does not follow")
      let newestDurable = batch.header.firstEvent &- 1 &- UInt64(batch.header.durable)
      if newestDurable >= nextEvent { return false }
      start = batch.start + 1
    }
    return budget >= 0
  }

  /// The next bytes that are a batch with a right checksum.
  ///
  /// - Parameter budget: how many bytes may still be read; negative if they were not enough.
  private static func nextBatch(
    in rest: SegmentRest,
    from start: Int,
    salt: UInt32,
    nextEvent: UInt64,
    _ budget: inout Int
  ) -> (header: BatchHeader, start: Int)? {
    rest.bytes.withUnsafeBytes { bytes in
      for start in start..<max(start, bytes.count - BatchHeader.size + 1) {
        guard bytes.integer(at: start, UInt32.self) == salt else { continue }
        let end = start + BatchHeader.size
        let header = BatchHeader(bytes.part(start..<end))
        guard let length = Int(exactly: header.length), length <= rest.count - end else { continue }
        // Only chance makes it look like a header otherwise.
        guard start == 0 || header.firstEvent >= nextEvent, header.firstEvent > UInt64(header.durable) else { continue }
        budget -= BatchHeader.size + length
        if budget < 0 { return nil }
        var checksum = CRC32C()
        BatchHeader.add(bytes.part(start..<end), to: &checksum)
        rest.add(end..<end + length, to: &checksum)
        if checksum.value == BatchHeader.checksum(of: bytes.part(start..<end)) { return (header, start) }
      }
      return nil
    }
  }
}
