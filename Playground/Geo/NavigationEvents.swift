import Streams

/// The events in a sequence of lines, one for each line, with the time that passes in between.
///
/// Nothing is read ahead: a line is asked for when the event before it has been handled, so a file of any size
/// is replayed in constant memory.
struct NavigationEvents<Lines: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Lines.Element == Line {
  let lines: Lines
  let pace: Pace
  /// Where time comes from when a recording is held back.
  let scheduler: any Scheduler

  func makeAsyncIterator() -> Iterator {
    Iterator(lines: lines.makeAsyncIterator(), pace: pace, scheduler: scheduler)
  }

  struct Iterator: AsyncIteratorProtocol {
    private var lines: Lines.AsyncIterator
    private let pace: Pace
    private let scheduler: any Scheduler
    private let start: Duration
    private var recordingClock = RecordingClock()
    private var fixStatus = FixStatus()
    /// An event that waits for the time event before it to be handled.
    private var next: NavigationEvent?
    private var hasEnded = false

    fileprivate init(lines: Lines.AsyncIterator, pace: Pace, scheduler: any Scheduler) {
      self.lines = lines
      self.pace = pace
      self.scheduler = scheduler
      start = scheduler.now
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Lines.Failure) -> NavigationEvent? {
      if let event = next {
        next = nil
        return event
      }
      guard !hasEnded else { return nil }
      guard let line = try await lines.next(isolation: actor) else {
        hasEnded = true
        return .end
      }

      let (event, elapsed) = read(line)
      guard let elapsed else { return event }
      switch pace {
      case .live: return event
      case .recording:
        next = event
        return .time(elapsed)
      case .recordingInRealTime:
        // If the sleep is cancelled, nothing listens any more, and the event does no harm.
        try? await scheduler.sleep(until: start + elapsed)
        return event
      }
    }

    mutating func next() async throws(Lines.Failure) -> NavigationEvent? {
      try await next(isolation: nil)
    }

    private mutating func read(_ line: Line) -> (event: NavigationEvent, elapsed: Duration?) {
      switch line {
      case .overlong(let firstByte, let count):
        return (Sentence.isStart(firstByte) ? .rejected(.shape) : .noise(bytes: count), nil)
      case .text(let bytes):
        // A `$` in front of another one is nothing that could be a sentence.
        guard let first = bytes.first, Sentence.isStart(first), bytes.count > 1 else {
          return (bytes.first == UInt8(ascii: "#") ? .comment : .noise(bytes: bytes.count), nil)
        }
        do throws(Sentence.Defect) {
          let sentence = try Sentence(bytes)
          let elapsed = sentence.timeOfDay.flatMap { recordingClock.read($0, on: sentence.address) }
          let event = NavigationEvent(sentence)
          let isAdmitted = fixStatus.admits(sentence)
          if case .fix = event, !isAdmitted { return (.empty, elapsed) }
          return (event, elapsed)
        } catch {
          return (.rejected(error), nil)
        }
      }
    }
  }
}
