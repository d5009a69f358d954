import RASPTesting
import Streams
import TestSupport
import Testing

/// The classic deadlock: a callback waits for a lock that a sender holds. Here the "foreign lock" is a flag that the
/// other thread raises only after it could send, subscribe, cancel and read; if any internal lock were held during a
/// callback, it never could.
@Suite("THR-05: no user code under a lock")
struct ForeignLockTests {
  @Test("THR-05: closures of operators", arguments: Operator.withClosures)
  func closures(_ subjectOfTest: Operator) async {
    let subject = Subject<Int, TestError>(initial: 0)
    let encounter = Encounter(with: subject)
    await encounter.run { probe in
      subjectOfTest.apply(to: subject.observable, probe: probe)
    }
  }

  @Test("THR-05: observers behind every operator", arguments: Operator.all)
  func observers(_ subjectOfTest: Operator) async {
    let subject = Subject<Int, TestError>(initial: 0)
    let encounter = Encounter(with: subject)
    await encounter.run { probe in
      subjectOfTest.apply(to: subject.observable).map { value in
        probe()
        return value
      }
    }
  }

  @Test("THR-05: teardowns, factories and deinits")
  func teardowns() async {
    let subject = Subject<Int, TestError>(replaying: 1)
    let other = Flag()
    let waits = Log<Bool>()
    let producers = Log<Producer<Int, TestError>>()
    let tracker = LifetimeTracker()
    let made = Observable<Int, TestError> { producer in
      producers.note(producer)
      waits.note(other.wait())
      producer.onTermination { waits.note(other.wait()) }
    }
    let stream = Observable.merge(made, subject.observable)
    let bag = SubscriptionBag()
    await Threads.run(
      {
        let object = tracker.make { waits.note(other.wait()) }
        stream.subscribe { _ in _ = object }.store(in: bag)
        bag.cancel()
      },
      {
        block { producers.count > 0 }
        subject.send(1)
        Recorder(subject.observable).cancel()
        bag.insert(Subscription {})
        producers.last?.send(2)
        _ = subject.latest
        other.raise()
      }
    )
    #expect(waits.entries == [true, true, true])
    #expect(tracker.liveCount == 0)
  }

  @Test("THR-05: the replay, the end, and the deinit of what falls out of a buffer")
  func replayAndEnd() async {
    let tracker = LifetimeTracker()
    let subject = Subject<LifetimeTracker.Object, TestError>(replaying: 1)
    let other = Flag()
    let began = Flag()
    let waits = Log<Bool>()
    let wait: @Sendable () -> Void = {
      began.raise()
      waits.note(other.wait())
    }
    subject.send(tracker.make(onRelease: wait))
    await Threads.run(
      {
        let token = subject.subscribe { _ in
          wait()
        } onEnd: { _ in
          wait()
        }
        subject.send(tracker.make())
        subject.finish()
        token.cancel()
      },
      {
        _ = began.wait()
        let token = subject.subscribe { _ in }
        _ = subject.latest
        _ = subject.observerCount
        subject.send(tracker.make())
        token.cancel()
        other.raise()
      }
    )
    #expect(!waits.entries.contains(false))
    #expect(waits.count >= 4)
  }
}

/// Two threads: one delivers and waits in user code, the other uses everything there is meanwhile.
private struct Encounter: Sendable {
  private let subject: Subject<Int, TestError>
  private let inside = Flag()
  private let other = Flag()
  private let waits = Log<Bool>()

  init(with subject: Subject<Int, TestError>) {
    self.subject = subject
  }

  func run(_ make: (@escaping @Sendable () -> Void) -> Observable<Int, TestError>) async {
    let stream = make { [inside, other, waits] in
      inside.raise()
      waits.note(other.wait())
    }
    let recorder = Box<Recorder<Int, TestError>>()
    let bystander = Recorder(subject.observable)
    await Threads.run(
      { [subject] in
        recorder.value = Recorder(stream)
        subject.send(1)
        subject.send(2)
      },
      { [subject, inside, other] in
        _ = inside.wait()
        subject.send(3)
        let second = Recorder(subject.observable)
        let third = Recorder(stream.prefix(0))
        _ = subject.latest
        _ = subject.observerCount
        second.cancel()
        third.cancel()
        bystander.cancel()
        subject.send(4)
        other.raise()
      }
    )
    #expect(!waits.entries.contains(false), "the other thread had to wait for a callback")
    #expect(waits.count > 0)
    let seen = Set(recorder.value?.values ?? [])
    #expect(seen.isSuperset(of: [1, 2, 3, 4]))
    subject.finish()
    #expect(recorder.value?.ends == [.finished])
  }
}
