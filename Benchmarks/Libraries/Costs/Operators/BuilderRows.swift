import CostRows
import RASPTesting
import Streams

/// Streams that are made of something else, and the schedulers.
let builderRows: [CostRow] =
  [
    CostRow("sequence", "Observable(sequence), per value", should: 60, peer: Peer("ReactiveSwift", 3_971)) { _ in
      let tally = Tally()
      return { count in
        _ = Observable<Int, Never>(0..<count).subscribe { tally.see($0) }
        tally.expect(count)
      }
    },
    .stepping(
      "empty.subscribe",
      "subscribe to an empty stream",
      should: 1_000,
      note: "the token of a subscription",
      delivers: .none
    ) { _, tally in
      ({ _ in _ = Observable<Int, Never>.empty.subscribe { tally.see($0) } }, tally)
    },
    .stepping(
      "timer.virtual",
      "timer: subscribe and fire, virtual",
      should: 3_000,
      note: "a subscription is made and a timer is set for each"
    ) { _, tally in
      let time = VirtualScheduler()
      return (
        { _ in
          let token = Observable.timer(after: .seconds(1), on: time).subscribe { tally.see($0) }
          time.advance(by: .seconds(1))
          withExtendedLifetime(token) {}
        }, time
      )
    },
    .stepping(
      "interval.virtual",
      "interval, one tick, virtual",
      should: 2_000,
      peer: Peer("RxSwift", 26_067),
      note: "a timer is set for each tick"
    ) { _, tally in
      let time = VirtualScheduler()
      let token = Observable.interval(.seconds(1), on: time).subscribe { tally.see($0) }
      return ({ _ in time.advance(by: .seconds(1)) }, (time, token))
    },
    .together(
      "observable.ofAsyncSequence",
      "Observable(AsyncSequence), per value of a full AsyncStream",
      should: 15_000,
      note: "the task waits until each value has been handled"
    ) { _ in
      let tally = Tally()
      return { count in
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        for value in 0..<count { continuation.yield(value) }
        continuation.finish()
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let token = Observable<Int, Never>(stream).subscribe {
          tally.see($0)
        } onEnd: { _ in
          end.finish()
        }
        for await _ in ends {}
        tally.expect(count)
        withExtendedLifetime(token) {}
      }
    },
    .together(
      "observable.task",
      "Observable.task { }, subscribed to until its end",
      should: 8_000,
      note: "a task for each subscription"
    ) { _ in
      let tally = Tally()
      return { count in
        for value in 0..<count {
          let (ends, end) = AsyncStream.makeStream(of: Void.self)
          let token = Observable<Int, Never>.task { value }.subscribe {
            tally.see($0)
          } onEnd: { _ in
            end.finish()
          }
          for await _ in ends {}
          withExtendedLifetime(token) {}
        }
        tally.expect(count)
      }
    },
  ] + schedulerRows

private let schedulerRows: [CostRow] = [
  CostRow("scheduler.virtual.now", "VirtualScheduler.now", should: 60) { _ in
    let (time, sink) = (VirtualScheduler(), Sink())
    return { count in for _ in 0..<count { sink.see(time.now) } }
  },
  CostRow("advance.virtual", "VirtualScheduler.advance(by:), nothing due", should: 150) { _ in
    let time = VirtualScheduler()
    return { count in for _ in 0..<count { time.advance(by: .seconds(1)) } }
  },
  .stepping(
    "scheduler.virtual.schedule.run",
    "VirtualScheduler: schedule and run one action",
    should: 1_500,
    sizes: [1, 4, 16],
    of: "actions that wait",
    note: "O(log n); a token for each action"
  ) { size, tally in
    let time = VirtualScheduler()
    let others = (1..<max(size, 2)).map { time.schedule(at: .seconds(1_000_000 + $0)) {} }
    return (
      { _ in
        let token = time.schedule(at: time.now.advanced) { tally.see(()) }
        time.advance(to: time.now.advanced)
        withExtendedLifetime(token) {}
      }, (time, others)
    )
  },
  .stepping(
    "scheduler.virtual.schedule.cancel",
    "VirtualScheduler: schedule and cancel",
    should: 1_500,
    note: "a token for each action",
    delivers: .none
  ) { _, tally in
    let time = VirtualScheduler()
    return ({ _ in time.schedule(at: .seconds(1_000_000)) { tally.see(()) }.cancel() }, time)
  },
  CostRow("scheduler.continuous.now", "ClockScheduler.now", should: 80) { _ in
    let (time, sink) = (ClockScheduler<ContinuousClock>.continuous, Sink())
    return { count in for _ in 0..<count { sink.see(time.now) } }
  },
  .together("scheduler.sleep", "sleep(until:) of an instant that has passed", should: 150) { _ in
    let time = VirtualScheduler()
    return { count in for _ in 0..<count { try? await time.sleep(until: .zero) } }
  },
  .together(
    "scheduler.continuous.schedule.cancel",
    "ClockScheduler: schedule and cancel",
    should: 1_500,
    note: "Each action is a task that sleeps: to make, enqueue and run a task is what it costs."
  ) { _ in
    let time = ClockScheduler<ContinuousClock>.continuous
    return { count in for _ in 0..<count { time.schedule(at: time.now + .seconds(1_000)) {}.cancel() } }
  },
]

extension Duration {
  fileprivate var advanced: Duration { self + .nanoseconds(1) }
}
