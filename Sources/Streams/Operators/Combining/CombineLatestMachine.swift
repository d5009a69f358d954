/// The newest value of each input: a plain state machine, event in, action out.
///
/// Invariant: while an input has sent nothing, nothing is sent.
@usableFromInline
struct CombineLatestMachine<Failure: Error, each Value: Sendable>: StageMachine {
  @usableFromInline typealias Input = CombinedInput<repeat each Value>
  @usableFromInline typealias Output = CombinedInput<repeat each Value>

  private var newest: CombinedInput<repeat each Value>
  /// The inputs that have sent nothing yet.
  private var silent: Set<Int>
  /// The number of inputs that have not ended.
  private var openCount: Int

  /// - Parameter count: the number of inputs; they have the numbers from 0 on.
  @usableFromInline
  init(count: Int) {
    newest = CombinedInput()
    silent = Set(0..<count)
    openCount = count
  }

  @usableFromInline
  mutating func receive(
    _ event: StageEvent<CombinedInput<repeat each Value>, Failure>,
    _ clock: inout StageClock
  ) -> StageAction<CombinedInput<repeat each Value>, CombinedInput<repeat each Value>, Failure> {
    switch event {
    case .value(let value, let input):
      newest.update(with: value)
      silent.remove(input)
      return silent.isEmpty ? StageAction(send: newest) : .none
    case .ended(.finished, let input):
      openCount -= 1
      assert(openCount >= 0, "More inputs have ended than there are.")
      // An input that ends without a value never lets anything be sent.
      return openCount == 0 || silent.contains(input) ? StageAction(end: .finished) : .none
    case .ended(let failure, _):
      return StageAction(end: failure)
    case .woken:
      return .none
    }
  }
}

/// A value of one of several inputs, or the newest values of all of them.
@usableFromInline
struct CombinedInput<each Value: Sendable>: Sendable {
  private var values: (repeat (each Value)?)

  @usableFromInline
  init() {
    values = (repeat Optional<each Value>.none)
  }

  /// Makes the value of the input at `position`, which has that type.
  @usableFromInline
  init<One: Sendable>(_ value: One, at position: Int) {
    var next = 0
    func take<Other: Sendable>(_ type: Other.Type) -> Other? {
      defer { next += 1 }
      return next == position ? value as? Other : nil
    }
    values = (repeat take((each Value).self))
    assert(position < next, "There is no input of that number.")
  }

  mutating func update(with newer: CombinedInput) {
    values = (repeat newest(each newer.values, each values))
  }

  /// All values. Each input must have one.
  var all: (repeat each Value) {
    (repeat (each values).unsafelyUnwrapped)
  }

  private func newest<One: Sendable>(_ newer: One?, _ older: One?) -> One? {
    newer ?? older
  }
}
