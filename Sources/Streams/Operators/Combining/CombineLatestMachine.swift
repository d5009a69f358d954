/// The newest value of each input: a plain state machine, event in, action out.
///
/// Invariant: while an input has sent nothing, nothing is sent.
@usableFromInline
struct CombineLatestMachine<Row: CombinedRow, Failure: Error>: StageMachine {
  @usableFromInline typealias Input = Row.Part
  @usableFromInline typealias Output = Row.All

  @usableFromInline var newest = Row()
  /// The number of inputs that have not ended.
  @usableFromInline var openCount = Row.inputCount

  @inlinable
  init() {}

  @inlinable
  @inline(__always)
  mutating func receive(
    _ event: StageEvent<Row.Part, Failure>,
    _ clock: inout StageClock
  ) -> StageAction<Row.Part, Row.All, Failure> {
    switch event {
    case .value(let part, _):
      newest.keep(part)
      return StageAction(send: newest.all)
    case .ended(.finished, let input):
      openCount -= 1
      assert(openCount >= 0, "More inputs have ended than there are.")
      // An input that ends without a value never lets anything be sent.
      return openCount == 0 || !newest.hasValue(of: input) ? StageAction(end: .finished) : .none
    case .ended(let failure, _):
      return StageAction(end: failure)
    case .woken:
      return .none
    }
  }
}
