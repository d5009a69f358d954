import Streams

/// The subscribers of a program: they note what they are told, sometimes go on with the program inside of a callback,
/// and are cancelled in any order.
final class Cast: Sendable {
  let numbers: Numbers
  let transcript: Transcript
  /// What is done inside of callbacks: nothing, while it is `nil`.
  let act = Box<(@Sendable () -> Void)?>(nil)
  private let tokens = Box<[Subscription]>([])
  private let count = Box(0)
  /// How many steps may still be taken inside of callbacks, so that a program ends.
  private let rest = Box(24)

  init(_ numbers: Numbers, _ transcript: Transcript) {
    (self.numbers, self.transcript) = (numbers, transcript)
  }

  func note(_ text: String) { transcript.note(text) }

  func subscribe<Element, Failure: Error>(
    _ stream: Observable<Element, Failure>,
    as name: String,
    endingAs voice: String = "",
    _ text: @escaping @Sendable (Element) -> String = { "\($0)" }
  ) {
    let number = count.next()
    let token = stream.subscribe { [self] value in
      note("\(number) \(name) \(text(value))")
      goOn()
    } onEnd: { [self] end in
      transcript.note("\(number) \(Fault.text(end))", by: voice)
      goOn()
    }
    tokens.change { $0.append(token) }
  }

  private func goOn() {
    guard let act = act.value, numbers.once(in: 3), rest.next(by: -1) > 0 else { return }
    act()
  }

  func cancelAny() {
    let index = numbers.below(tokens.value.count + 1)
    if index > 0 { tokens.value[index - 1].cancel() }
    note("cancel \(index)")
  }

  /// Lets go of everything.
  func cancelAll() {
    act.value = nil
    for token in tokens.value { token.cancel() }
    tokens.value = []
  }
}
