import RASPTesting

/// A program whose tasks run one at a time, in virtual time. What several of them say has no order, so each has a voice
/// of its own.
struct Timed: Sendable {
  let numbers: Numbers
  let transcript: Transcript
  let time: VirtualScheduler

  static func run(_ numbers: Numbers, _ transcript: Transcript, _ body: (Timed) async throws -> Void) async {
    do {
      try await withVirtualTime { try await body(Timed(numbers: numbers, transcript: transcript, time: $0)) }
    } catch {
      transcript.note(Fault.text(error))
    }
  }

  func note(_ text: String, by voice: String) { transcript.note("\(time.now / .nanoseconds(1)) \(text)", by: voice) }

  /// Instants are so many nanoseconds that two of them hardly ever meet.
  func span(_ most: Int) -> Duration { .nanoseconds(numbers.within(1...most)) }

  func sleep(_ span: Duration) async throws { if span > .zero { try await time.sleep(until: time.now + span) } }

  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: time.taskExecutor, operation: body)
  }
}
