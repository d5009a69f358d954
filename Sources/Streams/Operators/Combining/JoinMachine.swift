/// Decides which inputs of a merge or a switch are followed, and when the result ends: a plain state machine, event in,
/// action out.
///
/// ```
///   merge:    streams  ──A────B────       A and B are followed
///   latest:   streams  ──A────B────       B is followed from then on, and A is cancelled
/// ```
///
/// The stream of streams is an input, too; a merge of a fixed number of streams has none. A concatenation of a stream
/// of streams is a merge whose streams are subscribed to one after the other, see ``JoinLine``: one that waits is
/// followed already. A change of the inputs counts at once, also while values wait. ``JoinShell`` is the shell that
/// locks, asks, unlocks and acts.
///
/// Invariants: with `latest`, one stream at most is followed; nothing is followed once it is over.
@usableFromInline
struct JoinMachine<Input: Sendable>: Sendable {
  private let policy: JoinPolicy
  private var isOver = false
  /// Those that are followed, by their numbers, which rise.
  private var inputs: [Int: Input] = [:]
  private var lastNumber = 0
  /// The number of the newest stream that arrived.
  private var newest: Int?

  init(_ policy: JoinPolicy) {
    self.policy = policy
  }

  /// Adds an input that is there from the start: one of a fixed number, or the stream of streams.
  ///
  /// - Returns: its number; `nil` if all is over.
  mutating func opened(_ input: Input) -> Int? {
    guard !isOver else { return nil }
    defer { check() }
    lastNumber += 1
    inputs[lastNumber] = input
    return lastNumber
  }

  /// Takes in a stream that has arrived.
  ///
  /// - Returns: its number, `nil` if all is over; and the input to be cancelled.
  mutating func arrived(_ input: Input) -> (number: Int?, cancelled: Input?) {
    guard !isOver else { return (nil, nil) }
    let replaced = policy == .latest ? newest.flatMap { inputs.removeValue(forKey: $0) } : nil
    newest = opened(input)
    // Besides the newest stream only the stream of streams may be followed.
    assert(policy == .merge || inputs.count <= 2, "A switch follows two streams.")
    return (newest, replaced)
  }

  /// Takes in the end of an input.
  ///
  /// - Returns: the inputs to be cancelled, if it is the end of the result; `nil` if others go on, or it was known.
  mutating func ended(_ number: Int, failed: Bool) -> [Input]? {
    guard !isOver, inputs.removeValue(forKey: number) != nil, failed || inputs.isEmpty else { return nil }
    return over()
  }

  /// Stops following all inputs.
  ///
  /// - Returns: the inputs to be cancelled.
  mutating func over() -> [Input] {
    isOver = true
    let cancelled = inputs.sorted { $0.key < $1.key }.map(\.value)
    inputs = [:]
    check()
    return cancelled
  }

  private func check() {
    assert(!isOver || inputs.isEmpty, "A join that is over follows an input.")
    assert(inputs.count <= lastNumber, "A join follows more inputs than were opened.")
  }
}

/// The fate of the streams that are followed when another one arrives.
@usableFromInline
enum JoinPolicy: Sendable {
  /// All of them are followed.
  case merge
  /// The one before is cancelled.
  case latest
}
