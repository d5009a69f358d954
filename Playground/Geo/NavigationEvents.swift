import Streams

/// How fast the input is read, and where the time comes from that makes readings go stale.
enum Pace: Equatable, Sendable {
  /// A recording, as fast as it can be folded. Time comes from the times of day in it, so that the result does not
  /// depend on the speed of the machine.
  case recording
  /// A recording, held back to the times of day in it. Time comes from the clock on the wall.
  case recordingInRealTime
  /// A receiver, as it speaks. Time comes from the clock on the wall.
  case live
}

/// The events in chunks of bytes, one for each line, with the time that passes in between.
///
/// Nothing is read ahead: a chunk is asked for when the events before it have been handled, so a file of any size
/// is replayed in constant memory.
struct NavigationEvents<Chunks: AsyncSequence & Sendable>: AsyncSequence, Sendable where Chunks.Element == [UInt8] {
  let chunks: Chunks
  let pace: Pace
  /// Where time comes from when a recording is held back.
  let scheduler: any Scheduler

  func makeAsyncIterator() -> Iterator {
    Iterator(chunks: chunks.makeAsyncIterator(), pace: pace, scheduler: scheduler, start: scheduler.now)
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var chunks: Chunks.AsyncIterator
    fileprivate let pace: Pace
    fileprivate let scheduler: any Scheduler
    fileprivate let start: Duration
    private var chunk: ArraySlice<UInt8> = []
    private var framer = LineFramer()
    private var clock = RecordingClock()
    /// An event that waits for the time event before it to be handled.
    private var next: NavigationEvent?
    private var hasEnded = false

    fileprivate init(chunks: Chunks.AsyncIterator, pace: Pace, scheduler: any Scheduler, start: Duration) {
      (self.chunks, self.pace, self.scheduler, self.start) = (chunks, pace, scheduler, start)
    }

    mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Chunks.Failure) -> NavigationEvent? {
      if let event = next.take() { return event }
      guard let line = try await line(isolation: actor) else {
        defer { hasEnded = true }
        return hasEnded ? nil : .end
      }
      // A `$` in front of another one is nothing that could be a sentence.
      guard Sentence.isStart(line[0]), line.count > 1 else {
        return line[0] == UInt8(ascii: "#") ? .comment : .noise
      }
      guard let sentence = Sentence(line) else { return .rejected }
      let event = NavigationEvent(sentence)
      guard
        pace != .live, let timeOfDay = sentence.timeOfDay, let elapsed = clock.read(timeOfDay, on: sentence.address)
      else { return event }
      if pace == .recording {
        next = event
        return .time(elapsed)
      }
      // If the sleep is cancelled, nothing listens any more, and the event does no harm.
      try? await scheduler.sleep(until: start + elapsed)
      return event
    }

    mutating func next() async throws(Chunks.Failure) -> NavigationEvent? { try await next(isolation: nil) }

    private mutating func line(isolation actor: isolated (any Actor)?) async throws(Chunks.Failure) -> [UInt8]? {
      while !hasEnded {
        while let byte = chunk.popFirst() {
          if let line = framer.append(byte) { return line }
        }
        guard let next = try await chunks.next(isolation: actor) else { return framer.finish() }
        chunk = next[...]
      }
      return nil
    }
  }
}

/// The time that passes in a recording, told from the times of day in its sentences.
///
/// Receivers differ by a second or more, repeat themselves, and a recording may have gaps or begin again. So the first
/// kind of sentence that tells a time is the watch, of which only the steps count: the clock never runs backwards.
struct RecordingClock: Sendable {
  private static let day: Duration = .seconds(86_400)

  /// Since the first time of day in the recording.
  private(set) var elapsed: Duration = .zero
  /// What the watch is, and what it showed last.
  private var watch: (address: String, timeOfDay: Duration)?

  /// Takes in the time of day in a sentence with this address, and returns the time elapsed, if it has grown.
  mutating func read(_ timeOfDay: Duration, on address: String) -> Duration? {
    let before = watch ?? (address, timeOfDay)
    guard before.address == address else { return nil }
    watch = (address, timeOfDay)
    var step = timeOfDay - before.timeOfDay
    if step < .zero { step += Self.day }
    // More than half a day forwards is a step backwards: the recording begins again from here.
    guard step > .zero, step < Self.day / 2 else { return nil }
    elapsed += step
    return elapsed
  }
}
