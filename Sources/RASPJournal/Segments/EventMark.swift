/// What tells an event of a folder from another one with the same number: the checksum of the batch in which it was
/// written, which has those of all batches before in it, and the identity of the folder.
package struct EventMark: Hashable, Sendable {
  /// A half of the identity, which is random.
  package let identity: UInt64
  package let checksum: UInt32

  init(_ header: FileHeader, checksum: UInt32) {
    identity = UInt64(truncatingIfNeeded: header.identity)
    self.checksum = checksum
  }
}

extension JournalFolder {
  /// The mark of an event that is in the folder, or that was the last one of what was deleted.
  ///
  /// - Parameter event: one that was written. The file may be written on meanwhile.
  /// - Returns: `nil` if it was deleted with events behind it.
  /// - Complexity: O(bytes) of the segment before the event.
  package func mark(of event: Int) throws(JournalError) -> EventMark? {
    assert(event > 0, "there is no event 0")
    let segments = try listing().segments
    guard let start = segments.last(where: { $0 <= event }) ?? segments.first, start <= event + 1 else { return nil }
    var input = try openSegment(from: start)
    do throws(FileFailure) {
      // The header of the first segment has the checksum of the batch before it.
      _ = try input.read { _ in }
      while input.nextEvent <= event {
        guard case .batch = try input.read({ _ in }) else { return nil }
      }
    } catch {
      throw JournalError(error, file: segment(from: start))
    }
    guard let header = input.reader.header else { return nil }
    return EventMark(header, checksum: start > event ? header.link : input.reader.link)
  }
}
