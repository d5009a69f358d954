import Synchronization

/// What has to be put back before the program ends, however it ends: a list of steps that anything may add to.
enum Restoration {
  /// Takes its step off the list.
  struct Token: Sendable {
    fileprivate let number: Int
  }

  private static let steps = Mutex<(next: Int, all: [Int: @Sendable () -> Void])>((0, [:]))

  static func add(_ step: @escaping @Sendable () -> Void) -> Token {
    steps.withLock { steps in
      steps.next += 1
      steps.all[steps.next] = step
      return Token(number: steps.next)
    }
  }

  static func remove(_ token: Token) {
    _ = steps.withLock { $0.all.removeValue(forKey: token.number) }
  }

  /// Does what is left to do, the newest step first, each once.
  static func run() {
    let all = steps.withLock { steps in
      defer { steps.all = [:] }
      return steps.all
    }
    for (_, step) in all.sorted(by: { $0.key > $1.key }) { step() }
  }
}
