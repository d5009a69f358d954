extension ReferenceTree {
  /// Virtual time: what is due at one instant happens in the order in which it was asked for.
  final class Time {
    final class Timer {
      let due: Int
      var action: (() -> Void)?

      init(due: Int, action: @escaping () -> Void) {
        self.due = due
        self.action = action
      }
    }

    private(set) var now = 0
    private var timers: [Timer] = []

    @discardableResult
    func schedule(at instant: Int, _ action: @escaping () -> Void) -> Timer {
      let timer = Timer(due: max(instant, now), action: action)
      timers.insert(timer, at: timers.firstIndex { $0.due > timer.due } ?? timers.endIndex)
      return timer
    }

    /// Does it unless the observer is over by then.
    @discardableResult
    func schedule(after delay: Int, for sink: Sink, _ action: @escaping () -> Void) -> Timer {
      let timer = schedule(at: now + delay, action)
      sink.whenOver { timer.action = nil }
      return timer
    }

    /// Calls `action` with 0, 1, 2 … until the observer is over.
    func tick(every period: Int, for sink: Sink, from number: Int = 0, _ action: @escaping (Int) -> Void) {
      if sink.isOver { return }
      schedule(after: period, for: sink) {
        action(number)
        self.tick(every: period, for: sink, from: number + 1, action)
      }
    }

    func advance(to instant: Int) {
      while let first = timers.first, first.due <= instant {
        timers.removeFirst()
        guard let action = first.action else { continue }
        now = first.due
        action()
      }
      now = instant
    }
  }
}
