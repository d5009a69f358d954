import Synchronization

/// One input of a ``JoinShell``. It has two lives, because an input that has ended sends nothing more, but what it has
/// sent still counts; the values of an input that was replaced do not count any more.
@usableFromInline
final class JoinInput: Sendable {
  @usableFromInline let upstream = Lifetime()
  @usableFromInline let isReplaced = Atomic<Bool>(false)

  init() {}

  /// Is `true` as long as its values count.
  @inlinable
  var counts: Bool {
    @inline(__always) get { !isReplaced.load(ordering: .acquiring) }
  }

  func cancel(cuttingOff isCutOff: Bool = false) {
    isReplaced.store(true, ordering: .releasing)
    upstream.terminate(cuttingOff: isCutOff)
  }
}

/// The inputs of one ``JoinShell``: the shell of its machine. Nothing in it depends on what they send.
///
/// Safe to share: the machine is behind the lock, and inputs are cancelled after unlocking.
@usableFromInline
final class JoinInputs: Sendable {
  private let machine: Lock<JoinMachine<JoinInput>>

  @usableFromInline
  init(_ policy: JoinPolicy, of parent: Lifetime) {
    machine = Lock(JoinMachine(policy))
    // The parent keeps the closure.
    parent.onTermination { [unowned parent] in self.cancel(cuttingOff: parent.isCutOff) }
  }

  /// Adds an input that is there from the start.
  ///
  /// - Returns: the input and its number; `nil` if all is over.
  @usableFromInline
  func open() -> (JoinInput, number: Int)? {
    let input = JoinInput()
    return machine.withLock { $0.opened(input) }.map { (input, $0) }
  }

  /// Adds an input for a stream that has arrived, and cancels the one that it replaces.
  ///
  /// - Returns: the input and its number; `nil` if all is over.
  @usableFromInline
  func replace() -> (JoinInput, number: Int)? {
    let input = JoinInput()
    let (number, cancelled) = machine.withLock { $0.arrived(input) }
    cancelled?.cancel()
    return number.map { (input, $0) }
  }

  /// Takes in the end of an input.
  ///
  /// - Returns: the inputs to be cancelled, if it is the end of the result.
  @usableFromInline
  func ended(_ number: Int, failed: Bool) -> [JoinInput]? {
    machine.withLock { $0.ended(number, failed: failed) }
  }

  private func cancel(cuttingOff isCutOff: Bool) {
    for input in machine.withLock({ $0.over() }) { input.cancel(cuttingOff: isCutOff) }
  }
}
