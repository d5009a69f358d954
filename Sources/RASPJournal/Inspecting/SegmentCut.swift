/// A segment that is to end behind an event: its first batches as they stand, the one with the event once more up to
/// there, and an end. So the batches before keep their checksums, by which entries of a log are known.
struct SegmentCut {
  /// How many bytes are copied as they stand, and the last event in them.
  private(set) var wholeSize = 0
  private(set) var wholeEvent = 0
  /// What stands behind them.
  private(set) var rest: [UInt8] = []
  /// The end of the copy.
  private(set) var summary = StoredFile.Summary()

  private struct Part {
    /// `nil` for what the segment says about itself.
    let event: Record.Event?
    let kind: Int
    let payload: [UInt8]
  }

  /// - Parameter last: an event of the segment, or of one behind it.
  init(_ path: String, behind last: Int, on system: any FileSystem) throws(JournalError) {
    do throws(FileFailure) {
      var input = try SegmentInput(path, as: .segment, on: system)
      var before = input.reader
      var parts: [Part] = []
      _ = try input.read { _ in }
      while input.nextEvent <= last {
        before = input.reader
        parts = []
        let step = try input.read { (record) throws(FileFailure) in
          if let event = record.event, event.number > UInt64(last) { return }
          parts.append(Part(event: record.event, kind: record.kindIndex, payload: Array(record.payload)))
        }
        if case .batch = step { continue }
        break
      }
      let isCut = input.nextEvent - 1 > last
      if !isCut { before = input.reader }
      wholeSize = isCut ? before.endOfBatch : input.reader.endOfBatch
      wholeEvent = Int(truncatingIfNeeded: before.nextEvent) - 1
      // It has its end already.
      if input.reader.isSealed {
        (summary.nextEvent, summary.link) = (input.nextEvent, input.reader.link)
        return
      }
      var writer = SegmentWriter(behind: before)
      if isCut { Self.append(parts, of: input.reader.kinds, defined: before.kinds.count, to: &writer) }
      writer.endBatch()
      (summary.nextEvent, summary.link) = (min(last + 1, input.nextEvent), writer.link)
      writer.seal()
      rest = writer.takeFinished()
    } catch {
      throw JournalError(error, file: path)
    }
  }

  /// - Parameter defined: how many of the kinds the writer knows.
  private static func append(
    _ parts: [Part],
    of kinds: [RecordKind],
    defined: Int,
    to writer: inout SegmentWriter
  ) {
    var defined = defined
    var payload = ByteWriter()
    for part in parts {
      while defined <= part.kind {
        _ = writer.define(kinds[defined])
        defined += 1
      }
      payload.removeAll()
      payload.append(contentsOf: part.payload)
      let kind = UInt64(part.kind) + 1
      if let event = part.event {
        writer.append(event, kind: kind, payload: payload)
      } else {
        writer.append(kind: kind, payload: payload)
      }
    }
  }
}
