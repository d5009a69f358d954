public import Aggregate
public import RASPHistory
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
  /// Not the owner of the writer: reading does not keep the journal open.
  private let progress: JournalProgress
  private let poison: PoisonPolicy
  /// The newest event when the journal was opened.
  private let opened: Int

  init(
    after number: Int,
    of coding: Coding<State.Event>,
    in folder: JournalFolder,
    progress: JournalProgress,
    onPoison poison: PoisonPolicy,
    openedAt opened: Int
  ) {
    self.number = number
    self.coding = coding
    self.folder = folder
    self.progress = progress
    self.poison = poison
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
    let follower = EventFollower(
      after: number,
      of: coding,
      in: folder,
      progress: progress,
      onPoison: poison
    )
    return AsyncIterator(reader: Reader(follower, openedAt: opened))
  }
}

extension JournalEvents {
  fileprivate final class Reader {
    private let follower: EventFollower<State.Event>
    /// The newest event when the journal was opened.
    private let opened: Int
    /// The events of the last batch, and which of them is handed out next.
    private var events: [StoredEvent<State.Event>] = []
    private var place = 0

    init(_ follower: EventFollower<State.Event>, openedAt opened: Int) {
      self.follower = follower
      self.opened = opened
    }

    func next(isolation: isolated (any Actor)? = #isolation) async throws(JournalError) -> Element? {
      assert(place <= events.count, "an event that was not read")
      while place == events.count {
        events = []
        place = 0
        guard let batch = try await follower.next(isolation: isolation) else { return nil }
        events = batch.events
      }
      let stored = events[place]
      place += 1
      // The lane of an older cause was given by another process, and may be the one of something else here.
      let cause = stored.number <= opened ? .unknown : stored.cause
      return Element(number: stored.number, event: stored.event, cause: cause, time: stored.time)
    }
  }
}
