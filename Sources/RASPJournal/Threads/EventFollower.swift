import Streams

/// Reads the events of a folder batch by batch, and waits for those that are not written yet.
package final class EventFollower<Event: Sendable> {
  /// Events that are next to each other. Their numbers need not be those of the range: an event of an older version may
  /// have become several, or none.
  package struct Batch {
    package let numbers: ClosedRange<Int>
    package let events: [StoredEvent<Event>]
    /// Those that the coding does not read.
    package let unreadable: [(number: Int, reason: CodingError)]
  }

  /// The newest event that was read.
  package private(set) var last: Int
  /// That of the newest event that was read; `nil` if none was.
  package private(set) var mark: EventMark?
  private let coding: Coding<Event>
  private let folder: JournalFolder
  private let progress: JournalProgress
  private let poison: PoisonPolicy
  private var cursor: EventCursor<Event>?

  /// - Parameters:
  ///   - number: the event behind which it begins.
  ///   - progress: that of the writer.
  ///   - poison: what becomes of events that the coding does not read.
  package init(
    after number: Int,
    of coding: Coding<Event>,
    in folder: JournalFolder,
    progress: JournalProgress,
    onPoison poison: PoisonPolicy = .stop
  ) {
    last = max(0, min(number, .max - 1))
    self.coding = coding
    self.folder = folder
    self.progress = progress
    self.poison = poison
  }

  /// The next batch as soon as it is written; `nil` when the writer has ended, or the task was cancelled.
  package func next(isolation: isolated (any Actor)? = #isolation) async throws(JournalError) -> Batch? {
    while !Task.isCancelled {
      // Asked for before the number: what was written before the end is read.
      let hasEnded = progress.hasEnded
      let written = progress.written
      if last < written {
        if let batch = try read(upTo: written) { return batch }
      } else if hasEnded {
        if let failure = progress.failure { throw failure }
        return nil
      } else {
        await progress.wait(for: .written(last + 1))
      }
    }
    return nil
  }

  /// - Returns: `nil` if the events that were read have become none.
  private func read(upTo written: Int) throws(JournalError) -> Batch? {
    var events: [StoredEvent<Event>] = []
    var unreadable: [(number: Int, reason: CodingError)] = []
    let last = last
    let goesOn: Bool
    do throws(JournalError) {
      if cursor == nil {
        cursor = try EventCursor(at: last + 1, listing: try folder.listing(), coding: coding, in: folder)
      }
      let passes = { (number: Int, reason: CodingError) in
        guard self.poison != .stop else { return false }
        if number > last { unreadable.append((number, reason)) }
        return true
      }
      goesOn =
        try cursor?.readBatch(upTo: written, unreadable: passes) {
          if $0.number > last { events.append($0) }
        } ?? false
    } catch {
      // The next call begins anew.
      cursor = nil
      throw error
    }
    assert(events.first.map { $0.number > last } ?? true, "an event comes twice")
    // The last events may have become none, so only the end tells that all has been read.
    let newest = goesOn ? max(events.last?.number ?? 0, unreadable.last?.number ?? 0) : written
    guard newest > last else { return nil }
    defer {
      self.last = newest
      mark = cursor?.mark
    }
    return Batch(numbers: last + 1...newest, events: events, unreadable: unreadable)
  }
}
