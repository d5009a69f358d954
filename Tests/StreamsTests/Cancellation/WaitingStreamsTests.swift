import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Streams that wait in a concatenation")
struct WaitingStreamsTests {
  private final class Mark: Sendable {}

  /// A stream that holds an object, and sends a one.
  private func holding(_ mark: Mark) -> Observable<Int, Never> {
    .deferred {
      withExtendedLifetime(mark) {}
      return Observable([1])
    }
  }

  @Test("A detached concatenation keeps no stream that waits behind one that nobody can ever end")
  func detached() {
    weak var mark: Mark?
    do {
      let kept = Mark()
      mark = kept
      Observable.concat(.never, holding(kept)).subscribe { _ in }.detach()
    }
    #expect(mark == nil)
  }

  @Test("A detached concatenation goes on as long as the stream before the waiting ones may end")
  func goesOn() {
    let subject = Subject<Int, Never>()
    let received = Log<Int>()
    weak var mark: Mark?
    do {
      let kept = Mark()
      mark = kept
      Observable.concat(subject.observable, holding(kept)).subscribe { received.note($0) }.detach()
    }
    #expect(mark != nil)
    subject.send(0)
    subject.finish()
    #expect(received.entries == [0, 1])
    #expect(mark == nil)
  }

  @Test("A cancelled concatenation drops the streams that wait")
  func cancelled() {
    let subject = Subject<Int, Never>()
    weak var mark: Mark?
    let token: Subscription
    do {
      let kept = Mark()
      mark = kept
      token = Observable.concat(subject.observable, holding(kept)).subscribe { _ in }
    }
    #expect(mark != nil)
    token.cancel()
    #expect(mark == nil)
  }
}
