import CostRows
import RASPTesting
import Streams

/// The operators that know time. Virtual time stands still where nothing else is said; the system's clock reaches none
/// of the instants.
let timedRows: [CostRow] = quietRows + firingRows + bufferRows

private let quietRows: [CostRow] = [
  .timed("debounce.virtual", "debounce, time stands still, virtual", peer: Peer("OpenCombine", 8_893), delivers: .none)
  {
    $0.debounce(for: .seconds(1), on: $1)
  },
  .timed("debounce.anyScheduler", "debounce on a scheduler of any type, time stands still", delivers: .none) {
    let time: any Scheduler = $1
    return $0.debounce(for: .seconds(1), on: time)
  },
  .clocked("debounce.continuous", "debounce, never fires, system clock") {
    $0.debounce(for: .seconds(1_000))
  },
  .timed(
    "throttle.virtual",
    "throttle(latest), inside the window, virtual",
    peer: Peer("OpenCombine", 5_266),
    delivers: .none
  ) { $0.prepend(0).throttle(for: .seconds(1), on: $1).dropFirst() },
  .clocked("throttle.continuous", "throttle(latest), inside the window, system clock") {
    $0.prepend(0).throttle(for: .seconds(1_000)).dropFirst()
  },
  .timed("throttle.first.virtual", "throttle(latest: false), inside the window, virtual", delivers: .none) {
    $0.prepend(0).throttle(for: .seconds(1), latest: false, on: $1).dropFirst()
  },
  .timed(
    "timeout.virtual",
    "timeout, time stands still, virtual",
    peer: Peer("OpenCombine", 4_636),
    failure: Broken.self
  ) {
    $0.timeout(after: .seconds(1), on: $1, failure: Broken())
  },
  .clocked("timeout.continuous", "timeout, system clock", delivers: .all) {
    $0.timeout(after: .seconds(1_000), failure: Broken())
  },
  .timed("delay.virtual.keep", "delay, a value goes in, virtual", note: "the room for all of them", delivers: .none) {
    $0.delay(by: .seconds(1), on: $1)
  },
  .clocked("delay.continuous.keep", "delay, a value goes in, system clock") {
    $0.delay(by: .seconds(1_000))
  },
  .timed("sample.every.value", "sample(every:), a value, virtual", delivers: .none) {
    $0.sample(every: .seconds(1), on: $1)
  },
  .clocked("sample.every.continuous", "sample(every:), a value, system clock", should: 200) {
    $0.sample(every: .seconds(1_000))
  },
  .timed("timestamped.virtual", "timestamped, virtual time", peer: Peer("RxSwift", 6_053)) { $0.timestamped(on: $1) },
  .clocked("timestamped.continuous", "timestamped, system clock", should: 200, delivers: .all) { $0.timestamped() },
  .stepping(
    "debounce.subscribe",
    "subscribe to a debounce and cancel",
    should: 3_000,
    note: "a queue and its state, whose type is looked up at its release; a timer, a lifetime and an observer",
    delivers: .none
  ) { _, tally in
    let subject = Subject<Int, Never>()
    let stream = subject.debounce(for: .seconds(1), on: VirtualScheduler())
    return ({ _ in stream.subscribe { tally.see($0) }.cancel() }, subject)
  },
]

private let timerForEach = "a timer is set for each value"

private let firingRows: [CostRow] = [
  .timed(
    "debounce.virtual.fires",
    "debounce, each value fires, virtual",
    should: 2_000,
    peer: Peer("OpenCombine", 12_254),
    note: timerForEach,
    moving: .seconds(1)
  ) { $0.debounce(for: .seconds(1), on: $1) },
  .timed(
    "throttle.virtual.fires",
    "throttle(latest), each value opens a window, virtual",
    should: 450,
    peer: Peer("RxSwift", 10_522),
    moving: .seconds(1)
  ) { $0.throttle(for: .seconds(1), on: $1) },
  .timed(
    "timeout.virtual.moving",
    "timeout, time moves with each value, virtual",
    should: 2_000,
    note: timerForEach,
    moving: .milliseconds(900),
    failure: Broken.self
  ) { $0.timeout(after: .seconds(1), on: $1, failure: Broken()) },
  .timed(
    "delay.virtual",
    "delay, a value in and out, virtual",
    should: 2_000,
    peer: Peer("OpenCombine", 4_026),
    note: timerForEach,
    moving: .seconds(1)
  ) { $0.delay(by: .seconds(1), on: $1) },
  .timed(
    "sample.every.tick",
    "sample(every:), a value and a period, virtual",
    should: 2_000,
    note: "a timer is set for each period",
    moving: .seconds(1)
  ) { $0.sample(every: .seconds(1), on: $1) },
  .stepping(
    "delay.virtual.waiting",
    "delay, in and out, virtual",
    should: 2_000,
    sizes: [16, 64, 256],
    of: "values that wait",
    note: timerForEach
  ) { size, tally in
    let (subject, time) = (Subject<Int, Never>(), VirtualScheduler())
    let token = subject.delay(by: .seconds(size), on: time).subscribe { tally.see($0) }
    for value in 0..<size {
      subject.send(value)
      if value < size - 1 { time.advance(by: .seconds(1)) }
    }
    return (
      {
        time.advance(by: .seconds(1))
        subject.send($0)
      }, (subject, time, token)
    )
  },
]

private let bufferRows: [CostRow] = [
  .stepping(
    "buffer.count",
    "buffer(count:)",
    should: 150,
    count: 4_096,
    peer: Peer("OpenCombine", 2_684),
    sizes: [16, 64, 256],
    of: "count",
    note: "an array for each count of values",
    delivers: .oneOf(16)
  ) { size, tally in
    let subject = Subject<Int, Never>()
    let token = subject.buffer(count: size).subscribe { for _ in 0..<size / 16 { tally.see($0) } }
    return ({ subject.send($0) }, (subject, token))
  },
  .stepping(
    "buffer.every.virtual",
    "buffer(every:), 16 values a period, virtual",
    should: 300,
    note: "an array and a timer for each period",
    delivers: .oneOf(16)
  ) { _, tally in
    let (subject, time) = (Subject<Int, Never>(), VirtualScheduler())
    let token = subject.buffer(every: .seconds(1), on: time).subscribe { tally.see($0) }
    return (
      {
        subject.send($0)
        if $0 & 15 == 15 { time.advance(by: .seconds(1)) }
      }, (subject, time, token)
    )
  },
  .stepping(
    "buffer.countEvery.virtual",
    "buffer(count:every:), virtual",
    should: 300,
    count: 4_096,
    sizes: [16, 64, 256],
    of: "count",
    note: "an array for each count of values",
    delivers: .oneOf(16)
  ) { size, tally in
    let (subject, time) = (Subject<Int, Never>(), VirtualScheduler())
    let token = subject.buffer(count: size, every: .seconds(1), on: time)
      .subscribe { for _ in 0..<size / 16 { tally.see($0) } }
    return ({ subject.send($0) }, (subject, time, token))
  },
  .clocked(
    "buffer.countEvery.continuous",
    "buffer(count:every:), system clock",
    note: "an array for each count of values",
    delivers: .oneOf(16)
  ) { $0.buffer(count: 16, every: .seconds(1_000)) },
]

extension CostRow {
  /// A row in which a subject sends through operators that know virtual time.
  @inline(__always)
  fileprivate static func timed<Output: Sendable, Failure: Error>(
    _ name: String,
    _ operation: String,
    should: Int = 200,
    peer: Peer? = nil,
    note: String = "",
    delivers delivered: Delivered = .all,
    moving distance: Duration = .zero,
    failure: Failure.Type,
    through operators: @escaping @Sendable (Observable<Int, Failure>, VirtualScheduler) -> Observable<Output, Failure>
  ) -> CostRow {
    CostRow(name, operation, should: should, peer: peer, note: note) { _ in
      let (subject, time) = (Subject<Int, Failure>(), VirtualScheduler())
      let tally = Tally()
      let token = operators(subject.observable, time).subscribe { tally.see($0) }
      return { count in
        for value in 0..<count {
          subject.send(value)
          if distance > .zero { time.advance(by: distance) }
        }
        tally.expect(delivered.of(count))
        withExtendedLifetime(token) {}
      }
    }
  }

  /// The same for numbers that cannot fail.
  @inline(__always)
  fileprivate static func timed<Output: Sendable>(
    _ name: String,
    _ operation: String,
    should: Int = 200,
    peer: Peer? = nil,
    note: String = "",
    delivers delivered: Delivered = .all,
    moving distance: Duration = .zero,
    through operators: @escaping @Sendable (Observable<Int, Never>, VirtualScheduler) -> Observable<Output, Never>
  ) -> CostRow {
    .timed(
      name,
      operation,
      should: should,
      peer: peer,
      note: note,
      delivers: delivered,
      moving: distance,
      failure: Never.self,
      through: operators
    )
  }

  /// A row with the system's clock, whose timer is a task.
  @inline(__always)
  fileprivate static func clocked<Output: Sendable>(
    _ name: String,
    _ operation: String,
    should: Int = 300,
    note: String = "",
    delivers delivered: Delivered = .none,
    through operators: @escaping @Sendable (Observable<Int, Broken>) -> Observable<Output, Broken>
  ) -> CostRow {
    .together(name, operation, should: should, note: note) { _ in
      let subject = Subject<Int, Broken>()
      let tally = Tally()
      let token = operators(subject.observable).subscribe { tally.see($0) }
      return { count in
        for value in 0..<count { subject.send(value) }
        tally.expect(delivered.of(count))
        withExtendedLifetime(token) {}
      }
    }
  }
}
