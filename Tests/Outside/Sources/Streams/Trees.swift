import RASPTesting
import Streams

// What these programs say of the package in other words than their own.
extension Observable where Element == Int, Failure == Fault {
  fileprivate func again(_ limit: Int, after delay: Duration, on time: VirtualScheduler) -> Self {
    retry(limit, delay: .constant(delay), on: time)
  }
  fileprivate func againUnlessThree(_ limit: Int, _ delay: Duration, counts: Bool, on time: VirtualScheduler) -> Self {
    let delays = RetryDelay { delay * ($0 + 1) }
    return retry(delays, limit: limit, recovery: counts ? .value : .never, on: time) { $0.code != 3 }
  }
  fileprivate func thinned(_ window: Duration, keepsLast: Bool, on time: VirtualScheduler) -> Self {
    throttle(for: window, latest: keepsLast, on: time)
  }
}

/// Random trees of operators over sources in virtual time, with parts that are shared: what two observers of the root
/// get and when, and when which source was subscribed to and left. What happens inside at one instant has no order,
/// because each operator has a line of its own.
struct Trees: Sendable {
  typealias Stream = Observable<Int, Fault>

  let numbers: Numbers
  let transcript: Transcript
  let time = VirtualScheduler()
  let subjects = [Subject<Int, Fault>(), Subject<Int, Fault>()]
  private let inside = Box<[String]>([])
  private let sources = Box(0)
  private let shared = Box<[Stream]>([])

  static func run(_ numbers: Numbers, _ transcript: Transcript) async {
    Trees(numbers: numbers, transcript: transcript).run()
  }

  private func run() {
    let (root, end) = (tree(numbers.within(1...4)), Duration.milliseconds(4))
    for _ in 0..<numbers.below(13) {
      let (subject, happening) = (numbers.pick(subjects), Happening(numbers))
      time.schedule(at: instant()) { happening.reach(subject.send, subject.finish, subject.fail) }.detach()
    }
    let token = Box(observe(root, as: "first"))
    time.schedule(at: numbers.once(in: 2) ? end : instant() * 2) { token.value.cancel() }.detach()
    let other = Box<Subscription?>(nil)
    time.schedule(at: instant()) { other.value = observe(root, as: "second") }.detach()
    time.advance(to: end)
    other.value?.cancel()
    for line in inside.value.sorted() { transcript.note(line) }
    transcript.note("left: \(time.pending.count) timers, \(subjects.map(\.observerCount)) observers")
    shared.value = []
  }

  private func observe(_ stream: Stream, as voice: String) -> Subscription {
    stream.subscribe {
      transcript.note("\(now) \($0)", by: voice)
    } onEnd: {
      transcript.note("\(now) \(Fault.text($0))", by: voice)
    }
  }

  private var now: Int { Int(time.now / .nanoseconds(1)) }

  /// So many nanoseconds that two instants hardly ever meet.
  func instant() -> Duration { .nanoseconds(numbers.within(50_000...1_500_000)) }

  /// Notes when a source is subscribed to, and how that ends.
  private func watched(_ source: Stream) -> Stream {
    let name = "source \(sources.next())"
    @Sendable func note(_ text: String) { inside.change { $0.append("\(name) at \(now) \(text)") } }
    return source.handleEvents {
      note("subscribed")
    } onEnd: {
      note(Fault.text($0))
    } onCancel: {
      note("cancelled")
    }
  }

  private func tree(_ depth: Int) -> Stream {
    if depth == 0 { return watched(source()) }
    if let part = shared.value.last, numbers.once(in: 4) { return part }
    if numbers.once(in: 8) {
      // Nothing comes of it while it is subscribed to.
      let part = tree(depth - 1).delay(by: instant(), on: time).share(replaying: numbers.below(3))
      shared.change { $0.append(part) }
      return part
    }
    let first = tree(depth - 1)
    return switch numbers.below(5) {
    case 0, 1: changed(first)
    case 2, 3: timed(first)
    default: joined(first, numbers.list(2) { tree(depth - 1) })
    }
  }

  static func mix(_ first: Int, _ second: Int) -> Int { (first &* 31 &+ second &+ 7) % 1_000 }

  static func mix(_ values: [Int]) -> Int { values.reduce(values.count, mix) }

  private func changed(_ input: Stream) -> Stream {
    let small = numbers.below(4)
    switch numbers.below(18) {
    case 0:
      return input.map { value throws(Fault) in
        if value % 17 == 16 { throw Fault(code: 17) }
        return value + 1
      }
    case 1: return input.compactMap { $0 % 3 == 0 ? nil : $0 * 2 }
    case 2: return input.filter { $0 % 3 != 1 }
    case 3: return input.scan(0) { Self.mix($0, $1) }
    case 4: return input.scan(into: 0) { $0 = Self.mix($0, $1) }
    case 5: return input.map { $0 / 4 }.distinctUntilChanged()
    case 6: return input.distinctUntilChanged { abs($0 - $1) < 3 }
    case 7: return input.prefix(small)
    case 8: return input.prefix { $0 % 7 != 6 }
    case 9: return input.dropFirst(small)
    case 10: return input.drop { $0 % 5 != 4 }
    case 11: return input.prepend(Array(0..<small))
    case 12: return .deferred { input }
    case 13: return input.mapError { Fault(code: $0.code + 1) }
    case 14: return input.share(replaying: small)
    case 15: return input.buffer(count: small + 1).map { Self.mix($0) }
    case 16: return input.replaceError(with: small).setFailureType(to: Fault.self)
    default: return input.timestamped(on: time).map { Self.mix($0.value, Int($0.instant / .nanoseconds(1))) }
    }
  }

  private func timed(_ input: Stream) -> Stream {
    let (small, span) = (numbers.below(4), instant() / 2)
    switch numbers.below(12) {
    case 0: return input.again(small, after: span, on: time)
    case 1: return input.againUnlessThree(small, span, counts: numbers.once(in: 2), on: time)
    case 2: return input.again(small, after: .zero, on: time)
    case 3: return input.thinned(span, keepsLast: small > 1, on: time)
    case 4: return input.debounce(for: span, on: time)
    case 5: return input.delay(by: span, on: time)
    case 6: return input.timeout(after: span, on: time, failure: Fault(code: 9))
    case 7: return input.sample(every: span, on: time)
    case 8: return input.buffer(every: span, on: time).map { Self.mix($0) }
    case 9: return input.buffer(count: small + 1, every: span, on: time).map { Self.mix($0) }
    case 10: return timer(after: span).map { input }.switchToLatest()
    default: return input.sample(on: Observable<Int, Never>.interval(span, on: time))
    }
  }

  private func joined(_ first: Stream, _ others: [Stream]) -> Stream {
    let (second, third) = (others[0], others[1])
    let chosen = first.map { others[abs($0) % 2] }
    let ticks = second.catch { _ in Observable<Int, Never>.empty }
    let pairs: Observable<(Int, Int), Fault> = Observable.combineLatest(first, second)
    let triples: Observable<(Int, Int, Int), Fault> = Observable.combineLatest(first, second, third)
    switch numbers.below(12) {
    case 0: return first.merge(with: second)
    case 1: return .merge([first, second, third])
    case 2: return .concat([first, second, third])
    case 3: return pairs.map { Self.mix([$0.0, $0.1]) }
    case 4: return triples.map { Self.mix([$0.0, $0.1, $0.2]) }
    case 5: return first.withLatest(from: second).map { Self.mix($0.0, $0.1) }
    case 6: return first.prefix(until: ticks)
    case 7: return first.sample(on: ticks)
    case 8: return first.catch { _ in second }
    case 9: return chosen.merge()
    case 10: return chosen.switchToLatest()
    default: return chosen.concat()
    }
  }
}
