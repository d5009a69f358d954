import RASPCommands

/// A middleware that lets pass, changes, ends the way, or goes it again.
struct Stage<Input: Sendable>: Middleware {
  private let kind: Int
  private let note: @Sendable (String) -> Void
  private let number: @Sendable (Input) -> Int?
  private let make: @Sendable (Int) -> Input

  init(
    _ cast: Cast,
    _ name: String,
    _ number: @escaping @Sendable (Input) -> Int?,
    _ make: @escaping @Sendable (Int) -> Input
  ) {
    // Most let pass, so that the way is long.
    kind = cast.numbers.once(in: 2) ? 0 : cast.numbers.below(9)
    note = { cast.note("\(name) \($0)") }
    (self.number, self.make) = (number, make)
  }

  func intercept(_ input: Input, next: Next<Input>) throws -> MiddlewareResult<Input> {
    guard let number = number(input) else { return next(input) }
    note("in \(number)")
    switch kind {
    case 1: return after(next(make(number + 1)))
    case 2 where number % 3 == 0: return .stopped
    case 3 where number % 3 == 1: throw Fault(code: 300 + number)
    case 4 where number % 2 == 1: return .failed(Fault(code: 400 + number))
    case 5: return after(next(input).then { $0.failure == nil ? MiddlewareResult($0) : next(make(number + 1)) })
    case 6: return after(next(input).then { _ in next(make(number + 1)) })
    case 7: return after(next(input)).then { $0.failure == nil ? MiddlewareResult($0) : .stopped }
    case 8: return after(next(input)).then { _ in MiddlewareResult(.handled) }
    default: return after(next(input))
    }
  }

  private func after(_ result: MiddlewareResult<Input>) -> MiddlewareResult<Input> {
    result.then { outcome in
      note("out \(outcome.text)")
      return MiddlewareResult(outcome)
    }
  }
}
