public import Aggregate
import Streams

/// The events of a journal, one after the other; see ``Journal/events(after:)``.
public struct JournalEvents<State: AggregateState>: AsyncSequence, Sendable {
  /// An event with its number, cause and time since 1970.
  public typealias Element = Recording<State>.Entry
  /// What is wrong with the files, or has ended the journal.
  public typealias Failure = JournalError

  private let number: Int
  private let coding: Coding<State.Event>
  private let folder: JournalFolder
  /// Not the owner: who reads does not keep the journal open.
  private let writer: JournalWriter<State>
  /// The newest event when the journal was opened.
  private let opened: Int

  init(
    after number: Int,
    of coding: Coding<State.Event>,
    in folder: JournalFolder,
    writer: JournalWriter<State>,
    openedAt opened: Int
  ) {
    self.number = Swift.max(0, Swift.min(number, .max - 1))
    self.coding = coding
    self.folder = folder
    self.writer = writer
    self.opened = opened
  }

  /// Reads the entries of one sequence.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate let reader: Reader

    /// The next entry, as soon as it is written; `nil` when the journal has ended, or the task was cancelled.
    public mutating func next() async throws(JournalError) -> Recording<State>.Entry? {
      try await reader.next()
    }

    /// The next entry, as soon as it is written; `nil` when the journal has ended, or the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(JournalError) -> Recording<State>.Entry? {
      try await reader.next(isolation: actor)
    }
  }

  /// Begins to read.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(reader: Reader(self))
  }
}

extension JournalEvents {
  fileprivate final class Reader {
    private let events: JournalEvents
    /// The newest event that was read.
    private var number: Int
    private var cursor: EventCursor<State>?
    /// The entries that were read and not handed out, the next one last.
    private var entries: [Element] = []

    init(_ events: JournalEvents) {
      self.events = events
      number = events.number
    }

    func next(isolation: isolated (any Actor)? = #isolation) async throws(JournalError) -> Element? {
      let progress = events.writer.progress
      while entries.isEmpty {
        if Task.isCancelled { return nil }
        let hasEnded = progress.hasEnded
        let written = progress.written
        if number < written {
          try readBatch(upTo: written)
        } else if hasEnded {
          if let failure = progress.failure { throw failure }
          return nil
        } else {
          await progress.wait(for: .written(number + 1))
        }
      }
      return entries.popLast()
    }

    private func readBatch(upTo written: Int) throws(JournalError) {
      if cursor == nil {
        let folder = events.folder
        cursor = try EventCursor(at: number + 1, listing: try folder.listing(), coding: events.coding, in: folder)
      }
      let last = number
      let hasRead = try cursor?.readBatch(upTo: written) { entry in
        number = Swift.max(number, entry.number)
        guard entry.number > last else { return }
        // The lane of an older cause was given by another process, and may be the one of something else here.
        let isOlder = entry.number <= events.opened
        entries.append(
          isOlder ? Element(number: entry.number, event: entry.event, time: entry.time) : entry
        )
      }
      entries.reverse()
      // An event may have become none, so the numbers do not tell that all has been read.
      if hasRead == false { number = Swift.max(number, written) }
    }
  }
}
