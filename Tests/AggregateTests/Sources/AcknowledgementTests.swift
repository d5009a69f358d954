import Aggregate
import AggregateTestSupport
import RASPTesting
import TestSupport
import Testing

@testable import Streams

/// What a source that can wait is told, without the tasks that make it a matter of luck who comes first.
@Suite("Backpressure, step by step")
struct BarrierTests {
  /// A source whose observer the test holds, and speaks to as an asynchronous source does.
  private final class Manual: Sendable {
    let observer = Box<Observer<Int, Never>>()

    var observable: Observable<Int, Never> {
      Observable(attach: { [observer] in observer.value = $0 })
    }

    func send(_ value: Int) {
      observer.value?.send(value)
    }

    func whenHandled(_ resume: @escaping @Sendable () -> Void) {
      observer.value?.acknowledge(resume)
    }
  }

  @Test("Rule 12: a source may go on when its value has reached every observer, not when it is in line")
  func behindTheValue() {
    let source = Manual()
    let tape = Log<String>()
    let aggregator = Aggregator(initial: Journal(), sources: source.observable)
    let first = aggregator.events.subscribe { event in
      tape.note("first \(event)")
      guard event == 0 else { return }
      source.send(1)
      source.whenHandled { tape.note("handled 1") }
      source.send(2)
      source.whenHandled { tape.note("handled 2") }
    }
    defer { first.cancel() }
    let second = aggregator.events.subscribe { event in tape.note("second \(event)") }
    defer { second.cancel() }

    aggregator.send(0)

    #expect(
      tape.entries == [
        "first 0", "second 0",
        "first 1", "second 1", "handled 1",
        "first 2", "second 2", "handled 2",
      ]
    )
  }

  @Test("Rule 12: on an idle aggregator a source may go on at once")
  func idle() {
    let source = Manual()
    let aggregator = Aggregator(initial: Journal(), sources: source.observable)
    let handled = Flag()

    source.send(1)
    source.whenHandled { handled.raise() }

    #expect(handled.isRaised)
    #expect(aggregator.snapshot.entries == [1])
  }

  @Test("Rule 12: no source waits for an aggregator that has removed it, has finished or is gone", arguments: 0..<3)
  func afterwards(what: Int) {
    let source = Manual()
    let handled = Flag()
    let holder = Box(Aggregator(initial: Journal()))
    guard let id = holder.value?.add(source.observable) else { return }

    switch what {
    case 0: holder.value?.remove(source: id)
    case 1: holder.value?.finish()
    default: holder.take()
    }
    source.send(1)
    source.whenHandled { handled.raise() }

    #expect(handled.isRaised)
  }

  @Test("Rule 12: a source that is removed while its value waits may go on, too")
  func removedInLine() {
    let source = Manual()
    let handled = Flag()
    let aggregator = Aggregator(initial: Journal())
    let id = aggregator.add(source.observable)
    let events = Recorder(aggregator.events) { event in
      guard case .value(0) = event else { return }
      source.send(1)
      source.whenHandled { handled.raise() }
      aggregator.remove(source: id)
    }

    aggregator.send(0)

    #expect(events.values == [0])
    #expect(handled.isRaised)
  }
}
