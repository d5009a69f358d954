import RASPTesting
import TestSupport

@testable import Streams

/// A random program on the real operators.
final class RealTree: Sendable {
  typealias Stream = Observable<Int, TestError>

  let program: RandomTree
  let time = VirtualScheduler()
  /// What the observer has seen, and what has happened inside.
  let seen = Log<TreeRecord>()
  let inside = Log<TreeRecord>()
  private let subjects = (0..<2).map { _ in Subject<Int, TestError>() }

  init(_ program: RandomTree) {
    self.program = program
  }

  var observerCount: Int { subjects.map(\.observerCount).reduce(0, +) }

  func run() {
    for (instant, subject, event) in program.hot {
      time.schedule(at: .nanoseconds(instant)) { [subjects] in
        switch event {
        case .value(let value): subjects[subject].send(value)
        case .finish: subjects[subject].finish()
        case .fail(let code): subjects[subject].fail(TestError(code: code))
        }
      }.detach()
    }
    let subscription = stream(program.root).subscribe { [seen, time] value in
      seen.note(TreeRecord(place: 0, instant: time.now.inNanoseconds, event: .value, value: value))
    } onEnd: { [seen, time] end in
      seen.note(TreeRecord(end, at: 0, time.now.inNanoseconds))
    }
    time.advance(to: .nanoseconds(program.cancelAt))
    subscription.cancel()
    time.advance(to: .nanoseconds(RandomTree.end + 1))
  }

  private func note(_ event: TreeRecord.Event, _ place: Int, _ value: Int = 0) {
    inside.note(TreeRecord(place: place, instant: time.now.inNanoseconds, event: event, value: value))
  }

  /// Notes when a source is subscribed to, and when that is over.
  private func source(_ stream: Stream, _ place: Int) -> Stream {
    Observable(attach: { [unowned self] observer in
      note(.subscribed, place)
      observer.lifetime.onTermination { [unowned self] in note(.over, place) }
      stream.attach(observer)
    })
  }

  private func cold(_ steps: [Tree.Step]) -> Stream {
    Observable(attach: { [time] observer in
      let now = time.now
      for step in steps {
        let timer = time.schedule(at: now + .nanoseconds(step.after)) {
          switch step.event {
          case .value(let value): observer.send(value)
          case .finish: observer.end(.finished)
          case .fail(let code): observer.end(.failed(TestError(code: code)))
          }
        }
        observer.lifetime.onTermination { timer.cancel() }
      }
    })
  }

  func stream(_ tree: Tree) -> Stream {
    let inputs = tree.inputs.map { stream($0) }
    return single(tree, inputs) ?? timed(tree, inputs) ?? joined(tree, inputs) ?? source(sourced(tree), tree.id)
  }

  private func sourced(_ tree: Tree) -> Stream {
    switch tree.kind {
    case .values(let values): Observable(values).setFailureType(to: TestError.self)
    case .never: .never
    case .fail(let code): .fail(TestError(code: code))
    case .cold(let steps): cold(steps)
    case .hot(let subject): subjects[subject].observable
    case .timer(let after):
      Observable<Void, Never>.timer(after: .nanoseconds(after), on: time).map { 1 }
        .setFailureType(to: TestError.self)
    case .interval(let period):
      Observable<Int, Never>.interval(.nanoseconds(period), on: time).setFailureType(to: TestError.self)
    default: .empty
    }
  }

  private func single(_ tree: Tree, _ inputs: [Stream]) -> Stream? {
    guard let input = inputs.first else { return nil }
    let id = tree.id
    switch tree.kind {
    case .map:
      return input.map { value throws(TestError) in
        if value % 17 == 16 { throw TestError(code: 17) }
        return value + 1
      }
    case .compactMap: return input.compactMap { $0 % 3 == 0 ? nil : $0 * 2 }
    case .filter: return input.filter { $0 % 3 != 1 }
    case .scan: return input.scan(0) { RandomTree.mix($0, $1) }
    case .scanInto: return input.scan(into: 0) { $0 = RandomTree.mix($0, $1) }
    case .distinct: return input.map { $0 / 4 }.distinctUntilChanged()
    case .prefix(let count): return input.prefix(count)
    case .prefixWhile: return input.prefix { $0 % 7 != 6 }
    case .dropFirst(let count): return input.dropFirst(count)
    case .prepend(let values): return input.prepend(values)
    case .handleEvents:
      return input.handleEvents { [unowned self] in
        note(.subscribed, id)
      } onValue: { [unowned self] value in
        note(.value, id, value)
      } onEnd: { [unowned self] end in
        inside.note(TreeRecord(end, at: id, time.now.inNanoseconds))
      } onCancel: { [unowned self] in
        note(.cancelled, id)
      }
    case .deferred: return .deferred { input }
    case .mapError: return input.mapError { TestError(code: $0.code + 1) }
    case .share(let count): return input.share(replaying: count)
    case .timestamped:
      return input.timestamped(on: time).map { RandomTree.mix($0.value, $0.instant.inNanoseconds) }
    default: return nil
    }
  }

  private func timed(_ tree: Tree, _ inputs: [Stream]) -> Stream? {
    guard let input = inputs.first else { return nil }
    switch tree.kind {
    case .retry(let limit, let delay): return input.retry(limit, delay: .constant(.nanoseconds(delay)), on: time)
    case .retryPolicy(let limit, let delay, let recovery):
      return input.retry(
        RetryDelay { .nanoseconds(delay * ($0 + 1)) },
        limit: limit,
        recovery: recovery == .value ? .value : .never,
        on: time,
        if: { $0.code != 3 }
      )
    case .throttle(let window, let latest): return input.throttle(for: .nanoseconds(window), latest: latest, on: time)
    case .debounce(let quiet): return input.debounce(for: .nanoseconds(quiet), on: time)
    case .delay(let delay): return input.delay(by: .nanoseconds(delay), on: time)
    case .timeout(let limit): return input.timeout(after: .nanoseconds(limit), on: time, failure: TestError(code: 9))
    case .sampleEvery(let period): return input.sample(every: .nanoseconds(period), on: time)
    case .bufferCount(let count): return input.buffer(count: count).map { RandomTree.mix($0) }
    case .bufferEvery(let period):
      return input.buffer(every: .nanoseconds(period), on: time).map { RandomTree.mix($0) }
    case .bufferBoth(let count, let period):
      return input.buffer(count: count, every: .nanoseconds(period), on: time).map { RandomTree.mix($0) }
    default: return nil
    }
  }

  private func joined(_ tree: Tree, _ inputs: [Stream]) -> Stream? {
    guard inputs.count > 1 else { return nil }
    func chosen() -> Observable<Stream, TestError> {
      inputs[0].map { inputs[1 + $0 % (inputs.count - 1)] }
    }
    switch tree.kind {
    case .merge: return .merge(inputs)
    case .concat: return .concat(inputs)
    case .combineLatest where inputs.count == 2:
      let pairs: Observable<(Int, Int), TestError> = Observable.combineLatest(inputs[0], inputs[1])
      return pairs.map { RandomTree.mix([$0.0, $0.1]) }
    case .combineLatest:
      let triples: Observable<(Int, Int, Int), TestError> = Observable.combineLatest(inputs[0], inputs[1], inputs[2])
      return triples.map { RandomTree.mix([$0.0, $0.1, $0.2]) }
    case .withLatest: return inputs[0].withLatest(from: inputs[1]).map { RandomTree.mix($0.0, $0.1) }
    case .prefixUntil: return inputs[0].prefix(until: inputs[1].catch { _ in Observable<Int, Never>.empty })
    case .sampleOn: return inputs[0].sample(on: inputs[1].catch { _ in Observable<Int, Never>.empty })
    case .catching: return inputs[0].catch { _ in inputs[1] }
    case .mergeStreams: return chosen().merge()
    case .latest: return chosen().switchToLatest()
    case .concatStreams: return chosen().concat()
    default: return nil
    }
  }
}

extension TreeRecord {
  init(_ end: StreamEnd<TestError>, at place: Int, _ instant: Int) {
    switch end {
    case .finished: self.init(place: place, instant: instant, event: .finished)
    case .failed(let error): self.init(place: place, instant: instant, event: .failed, value: error.code)
    }
  }
}

extension Duration {
  fileprivate var inNanoseconds: Int { Int(self / .nanoseconds(1)) }
}
