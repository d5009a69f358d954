import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("prefix")
struct PrefixTests {
  @Test("The end comes with the last value, and upstream is released before it is heard")
  func end() {
    let subject = Subject<Int, Never>()
    let countAtEnd = Box<Int>()
    let recorder = Recorder(subject.prefix(2)) { event in
      if case .end = event { countAtEnd.value = subject.observerCount }
    }
    subject.send(1)
    #expect(recorder.ends.isEmpty)
    subject.send(2)
    #expect(recorder.ends == [.finished])
    #expect(countAtEnd.value == 0)
    subject.send(3)
    #expect(recorder.values == [1, 2])
  }

  @Test("A count of zero or less finishes at once without subscribing", arguments: [0, -1, .min])
  func nothing(count: Int) {
    let log = SubscriptionLog()
    let recorder = Recorder(Observable([1]).recordingSubscriptions(in: log).prefix(count))
    #expect(recorder.values.isEmpty)
    #expect(recorder.ends == [.finished])
    #expect(log.count == 0)
  }

  @Test("A count that is never reached changes nothing", arguments: [4, .max])
  func more(count: Int) {
    let recorder = Recorder(Observable([1, 2, 3]).prefix(count))
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.ends == [.finished])
  }

  @Test("An endless synchronous source is stopped")
  func endless() {
    let recorder = Recorder(Observable(sequence(first: 0) { $0 + 1 }).prefix(5))
    #expect(recorder.values == [0, 1, 2, 3, 4])
  }

  @Test("A value that the last one causes does not pass")
  func reentrant() {
    let subject = Subject<Int, Never>()
    let recorder = Recorder(subject.prefix(1)) { event in
      if case .value = event { subject.send(2) }
    }
    subject.send(1)
    #expect(recorder.values == [1])
    #expect(recorder.ends == [.finished])
  }

  @Test("A failure before the count is reached passes; each subscription counts for itself")
  func failure() {
    let subject = Subject<Int, TestError>()
    let stream = subject.prefix(2)
    let first = Recorder(stream)
    subject.send(1)
    let second = Recorder(stream)
    subject.send(2)
    subject.fail(TestError())
    #expect(first.values == [1, 2] && first.ends == [.finished])
    #expect(second.values == [2] && second.ends == [.failed(TestError())])
  }
}
