/// The newest values of two inputs: a plain state machine, event in, action out.
///
/// Invariant: while an input has sent nothing, nothing is sent.
@usableFromInline
struct CombineLatestMachine<First: Sendable, Second: Sendable, Failure: Error>: StageMachine {
  @usableFromInline typealias Input = Either<First, Second>
  @usableFromInline typealias Output = (First, Second)

  @usableFromInline var first: First?
  @usableFromInline var second: Second?
  /// The number of inputs that have not ended.
  @usableFromInline var openCount = 2

  @inlinable
  init() {}

  @inlinable
  @inline(__always)
  mutating func receive(
    _ event: StageEvent<Input, Failure>,
    _ clock: inout StageClock
  ) -> StageAction<Input, Output, Failure> {
    switch event {
    case .value(let value, _):
      switch value {
      case .first(let value): first = value
      case .second(let value): second = value
      }
      guard let first, let second else { return .none }
      return StageAction(send: (first, second))
    case .ended(.finished, let input):
      openCount -= 1
      assert(openCount >= 0, "More inputs have ended than there are.")
      // An input that ends without a value never lets anything be sent.
      let hasValue = input == 0 ? first != nil : second != nil
      return openCount == 0 || !hasValue ? StageAction(end: .finished) : .none
    case .ended(let failure, _):
      return StageAction(end: failure)
    case .woken:
      return .none
    }
  }
}
