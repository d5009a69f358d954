import Aggregate
import RASPInsight
import RASPTesting
import Streams
import TestSupport
import Testing

/// What is released sends something. It may do so because of what released it, and never because of what else the
/// thread delivers.
@Suite struct ReleasedCauseTests {
  /// Sends a word when it is released.
  private final class LastWord: Sendable {
    let word: String
    let target: Traced

    init(_ word: String, to target: Traced) {
      self.word = word
      self.target = target
    }

    deinit { target.send(word) }
  }

  /// Runs `inLine` in a delivery of `right`, while another thread holds a delivery of `left` in which it calls
  /// `deliver` with something that calls back. So what `inLine` leaves behind waits in a line that this other thread
  /// delivers.
  private func heldUp(
    _ left: Traced,
    _ right: Traced,
    deliver: @escaping @Sendable () -> Void,
    hold: (@escaping @Sendable () -> Void) -> Void,
    inLine: @escaping @Sendable () -> Void
  ) async {
    let (hasBegun, isInLine, isFirst) = (Gate(patience: longestWait), Gate(patience: longestWait), Flag())
    hold {
      guard !isFirst.isRaised else { return }
      isFirst.raise()
      hasBegun.open()
      isInLine.hold()
    }
    let tokens = [
      left.aggregator.events.subscribe { _ in deliver() },
      right.aggregator.events.subscribe { _ in inLine() },
    ]
    await Threads.run(
      { left.send("left") },
      {
        hasBegun.hold()
        right.send("right")
        isInLine.open()
      }
    )
    for token in tokens { token.cancel() }
  }

  @Test func aValueOfTheLineIsReleasedWithItsOwnCause() async {
    let (left, right, target) = (Traced(), Traced(), Traced())
    let subject = Subject<LastWord?, Never>()
    let token = Box<Subscription>()
    await heldUp(left, right) {
      subject.send(nil)
    } hold: { hold in
      token.value = subject.subscribe { _ in hold() }
    } inLine: {
      subject.send(LastWord("released", to: target))
    }
    #expect(target.causes["released"] == right.identity("right"))
    token.value?.cancel()
  }

  @Test func aSubjectThatEndsInTheLineEndsWithItsOwnCause() async {
    let (left, right, target) = (Traced(), Traced(), Traced())
    let subject = Subject<Subject<Int, Never>?, Never>()
    let token = Box<Subscription>()
    await heldUp(left, right) {
      subject.send(nil)
    } hold: { hold in
      token.value = subject.subscribe { _ in hold() }
    } inLine: {
      let inner = Subject<Int, Never>()
      inner.observable.subscribe({ _ in }, onEnd: { _ in target.send("ended") }).detach()
      subject.send(inner)
    }
    #expect(target.causes["ended"] == right.identity("right"))
    token.value?.cancel()
  }

  @Test func whatASubscriberHasCapturedIsReleasedWithTheCauseOfItsCancellation() async {
    let (left, right, target, source) = (Traced(), Traced(), Traced(), Traced())
    let token = Box<Subscription>()
    await heldUp(left, right) {
      source.send("word")
    } hold: { hold in
      let lastWord = LastWord("released", to: target)
      token.value = source.aggregator.events.subscribe { _ in
        hold()
        withExtendedLifetime(lastWord) {}
      }
    } inLine: {
      token.value?.cancel()
    }
    token.value = nil
    let cause = target.causes["released"]
    #expect(cause == right.identity("right") || cause == .unknown)
  }

  @Test func whatAnActorReceivesIsReleasedWithoutTheCauseOfTheFirst() async {
    actor Receiver {}
    let (target, receiver) = (Traced(), Receiver())
    let subject = Subject<LastWord, Never>()
    let (hasBegun, isInLine) = (Gate(patience: longestWait), Gate(patience: longestWait))
    let token = subject.receive(on: receiver).subscribe { _, value in
      if value.word == "first" {
        hasBegun.open()
        isInLine.hold()
      }
    }
    _ = await inTask(of: elsewhere) { subject.send(LastWord("first", to: target)) }
    await onThread {
      hasBegun.hold()
      subject.send(LastWord("second", to: target))
      isInLine.open()
    }
    #expect(await eventually { target.causes.count == 2 })
    #expect(target.causes["second"] == .unknown)
    token.cancel()
  }
}
