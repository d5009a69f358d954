extension ReferenceTree {
  /// The end of a stream: the code of a failure, or `nil`.
  typealias End = Int?

  /// An observer of the reference: it gets values until it is over.
  final class Sink {
    private(set) var isOver = false
    private var teardowns: [() -> Void] = []
    private let onValue: (Int) -> Void
    private let onEnd: (End) -> Void

    init(_ onValue: @escaping (Int) -> Void, onEnd: @escaping (End) -> Void) {
      self.onValue = onValue
      self.onEnd = onEnd
    }

    func value(_ value: Int) { if !isOver { onValue(value) } }

    func end(_ end: End) {
      guard !isOver else { return }
      cancel()
      onEnd(end)
    }

    func cancel() {
      guard !isOver else { return }
      isOver = true
      let all = teardowns
      teardowns = []
      for teardown in all { teardown() }
    }

    func whenOver(_ teardown: @escaping () -> Void) {
      if isOver { teardown() } else { teardowns.append(teardown) }
    }

    /// An observer of an input, which is over with this one at the latest.
    func input(_ onValue: ((Int) -> Void)? = nil, onEnd: ((End) -> Void)? = nil) -> Sink {
      let input = Sink(onValue ?? { self.value($0) }, onEnd: onEnd ?? { self.end($0) })
      whenOver { input.cancel() }
      return input
    }
  }
}
