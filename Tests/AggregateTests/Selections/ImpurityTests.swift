import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Selectors that are not pure")
struct ImpurityTests {
  @Test("SEL-12: in debug, a selector that reads two things from one state is reported with its field")
  func impure() {
    let aggregator = Aggregator(initial: Tally())
    let diagnostics = Recorder(aggregator.diagnostics)
    let calls = Counter()
    let impure = Recorder(aggregator.select { _ in calls.increment() }.observable)

    #expect(impure.values.count == 1)
    #if DEBUG
      #expect(diagnostics.values == [.impureSelector(field: "Int")])
    #else
      #expect(diagnostics.values.isEmpty)
    #endif
  }

  @Test("SEL-12: pure selectors are not reported, however odd their equality or comparison")
  func noFalseAlarm() {
    let aggregator = Aggregator(initial: Kinds(double: .nan, float: .nan, optionalDouble: .nan))
    let diagnostics = Recorder(aggregator.diagnostics)
    let bag = SubscriptionBag()
    defer { bag.cancel() }

    aggregator.select(\.number).subscribe { _ in }.store(in: bag)
    aggregator.select(\.double).subscribe { _ in }.store(in: bag)
    aggregator.select(\.float).subscribe { _ in }.store(in: bag)
    aggregator.select(\.optionalDouble).subscribe { _ in }.store(in: bag)
    aggregator.select(\.opaque).subscribe { _ in }.store(in: bag)
    // Not equal to itself, and yet always the same.
    aggregator.select(\.reading).subscribe { _ in }.store(in: bag)
    // The natural way to say "at every event".
    aggregator.select(\.number, by: { _, _ in false }).subscribe { _ in }.store(in: bag)
    aggregator.select({ $0.number }, by: { old, new in new < old }).subscribe { _ in }.store(in: bag)

    #expect(diagnostics.values.isEmpty)
  }

  private struct Mast: AggregateState {
    var gusts = [1, Double.nan]

    mutating func apply(_ event: Double) { gusts.append(event) }
  }

  @Test("SEL-12: a selector that makes an array with a NaN anew is pure")
  func computedArray() {
    let mast = Aggregator(initial: Mast())
    let diagnostics = Recorder(mast.diagnostics)
    let token = mast.select { $0.gusts.map { $0 * 2 } }.subscribe { _ in }
    mast.send(3)
    #expect(diagnostics.values.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test("SEL-12: a subscriber to diagnostics may subscribe, send and read")
  func reentrantReport() {
    let aggregator = Aggregator(initial: Tally())
    let calls = Counter()
    let reports = Counter()
    let counts = Log<Int>()
    let diagnostics = aggregator.diagnostics.subscribe { _ in
      guard reports.increment() < 10 else { return }
      aggregator.send(.add(1))
      counts.note(aggregator.snapshot.count)
    }
    defer { diagnostics.cancel() }
    let impure = Recorder(aggregator.select { _ in calls.increment() }.observable)

    #expect(impure.values.count == 1 + reports.value)
    #expect(aggregator.snapshot.count == reports.value)
    // It runs between two events, so what it sends waits in line.
    #expect(counts.entries == Array(repeating: 0, count: reports.value))
  }
}
