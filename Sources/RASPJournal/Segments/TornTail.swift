/// Tells a write that the end of the process or of the power has torn from damage to what was on the medium.
///
/// ```
///   … │ batch │ ????? │ batch: "all events up to 40 are on the medium" │      damage, if ????? should be event 38
///   … │ batch │ ????? │ batch: "all events up to 37 are on the medium" │      torn: both were being written
///   … │ batch │ ????? │                                                       torn
/// ```
///
/// Bytes can be the result of a torn write only if no whole batch stands behind them that vouches for them.
enum TornTail {
  /// Returns `true` if the bytes behind the last whole batch may be cut off.
  ///
  /// - Parameters:
  ///   - rest: those bytes.
  ///   - salt: the salt of the segment.
  ///   - nextEvent: the number of the event that should begin there.
  static func mayBeCut(_ rest: [UInt8], salt: UInt32, nextEvent: UInt64) -> Bool {
    rest.withUnsafeBytes { bytes in
      var start = 0
      while let batch = nextBatch(in: bytes, from: start, salt: salt, nextEvent: nextEvent) {
        // A whole batch in the wrong place was not torn.
        if batch.start == 0 { return false }
        assert(batch.start > 0 && batch.header.firstEvent >= nextEvent, "a batch that does not follow")
        let newestDurable = batch.header.firstEvent &- 1 &- UInt64(batch.header.durable)
        if newestDurable >= nextEvent { return false }
        start = batch.start + 1
      }
      return true
    }
  }

  /// The next bytes that are a batch with a right checksum.
  private static func nextBatch(
    in bytes: UnsafeRawBufferPointer,
    from start: Int,
    salt: UInt32,
    nextEvent: UInt64
  ) -> (header: BatchHeader, start: Int)? {
    guard bytes.count >= BatchHeader.size else { return nil }
    for start in start...max(start, bytes.count - BatchHeader.size) {
      guard start + BatchHeader.size <= bytes.count, bytes.integer(at: start, UInt32.self) == salt else { continue }
      let header = BatchHeader(bytes.part(start..<start + BatchHeader.size))
      guard let length = Int(exactly: header.length), length <= bytes.count - start - BatchHeader.size else { continue }
      // Only chance makes it look like a header otherwise.
      guard start == 0 || header.firstEvent >= nextEvent, header.firstEvent > UInt64(header.durable) else { continue }
      var checksum = CRC32C()
      let end = start + BatchHeader.size
      BatchHeader.add(bytes.part(start..<end), to: &checksum)
      checksum.add(bytes.part(end..<end + length))
      if checksum.value == BatchHeader.checksum(of: bytes.part(start..<end)) { return (header, start) }
    }
    return nil
  }
}
