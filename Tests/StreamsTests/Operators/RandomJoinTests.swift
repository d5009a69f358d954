import RASPTesting
import TestSupport
import Testing

@testable import Streams

/// What a random program does with a merge or a switch. Streams are numbered in the order in which they were made,
/// values across all of them.
private enum Step: Sendable {
  /// A new stream arrives; it does these steps as soon as it is subscribed to.
  case arrive(Int)
  /// A stream that has arrived sends, finishes or fails.
  case value(Int, from: Int)
  case finish(Int)
  case fail(Int)
  case outerFinish
  case outerFail
  case cancel
}

private enum Noted: Equatable, Sendable {
  case value(Int)
  case end(StreamEnd<TestError>)
  case attached(Int)
}

private struct Program: Sendable {
  var outside: [Step] = []
  /// What is done when a value is received.
  var onValue: [Int: [Step]] = [:]
  /// What is done when a stream is subscribed to.
  var onAttach: [Int: [Step]] = [:]

  init(seed: UInt64) {
    var numbers = SplitMix(seed: seed)
    var streams = 0
    var values = 0
    var budget = Int.random(in: 1...60, using: &numbers)
    let isRough = Bool.random(using: &numbers)
    func steps(_ count: Int, _ depth: Int) -> [Step] {
      (0..<count).compactMap { _ in
        guard budget > 0 else { return nil }
        budget -= 1
        let stream = Int.random(in: 0...max(0, streams), using: &numbers)
        func nested() -> [Step]? {
          guard depth < 4, Int.random(in: 0..<3, using: &numbers) == 0 else { return nil }
          return steps(Int.random(in: 1...4, using: &numbers), depth + 1)
        }
        switch Int.random(in: 0..<40, using: &numbers) {
        case 0..<10:
          streams += 1
          let number = streams
          onAttach[number] = nested()
          return .arrive(number)
        case 10..<30:
          values += 1
          let value = values
          onValue[value] = nested()
          return .value(value, from: stream)
        case 30..<36: return .finish(stream)
        case 36 where isRough: return .fail(stream)
        case 37: return .outerFinish
        case 38 where isRough: return .outerFail
        case 39 where isRough: return .cancel
        default: return nil
        }
      }
    }
    outside = steps(Int.random(in: 1...30, using: &numbers), 0)
  }
}

/// A merge or a switch as plain as it can be.
private final class Model {
  let program: Program
  let latest: Bool
  /// Which streams may still send, and whose values still count. Stream 0 is never made; -1 is the outer one.
  var sending: Set<Int> = [-1]
  var counting: Set<Int> = []
  var followed = [-1]
  var newest: Int?
  var isOver = false
  var isCancelled = false
  var isClosed = false
  var hasEnded = false
  var isOwned = false
  var line: [() -> Void] = []
  var noted: [Noted] = []

  init(_ program: Program, latest: Bool) {
    self.program = program
    self.latest = latest
    perform(program.outside)
  }

  func perform(_ steps: [Step]) {
    for step in steps {
      switch step {
      case .arrive(let stream): arrive(stream)
      case .value(let value, let stream): send(value, from: stream)
      case .finish(let stream): end(stream, .finished)
      case .fail(let stream): end(stream, .failed(TestError(code: stream)))
      case .outerFinish: end(-1, .finished)
      case .outerFail: end(-1, .failed(TestError(code: -1)))
      case .cancel: cancel()
      }
    }
  }

  func arrive(_ stream: Int) {
    guard sending.contains(-1), !isOver else { return }
    if latest, let newest, followed.contains(newest) {
      followed.removeAll { $0 == newest }
      sending.remove(newest)
      counting.remove(newest)
    }
    newest = stream
    followed.append(stream)
    sending.insert(stream)
    counting.insert(stream)
    noted.append(.attached(stream))
    perform(program.onAttach[stream] ?? [])
  }

  func send(_ value: Int, from stream: Int) {
    guard sending.contains(stream), !isClosed else { return }
    submit {
      guard self.counting.contains(stream), !self.isCancelled, !self.hasEnded else { return }
      self.noted.append(.value(value))
      self.perform(self.program.onValue[value] ?? [])
    }
  }

  func end(_ stream: Int, _ end: StreamEnd<TestError>) {
    guard sending.remove(stream) != nil, !isOver, followed.contains(stream) else { return }
    followed.removeAll { $0 == stream }
    let failed = end != .finished
    guard failed || followed.isEmpty else { return }
    isOver = true
    isClosed = true
    submit {
      guard !self.isCancelled else { return }
      self.hasEnded = true
      self.noted.append(.end(end))
    }
    if failed { sending = [] }
  }

  func cancel() {
    if hasEnded { return }
    isCancelled = true
    isOver = true
    sending = []
  }

  func submit(_ work: @escaping () -> Void) {
    line.append(work)
    guard !isOwned else { return }
    isOwned = true
    while !line.isEmpty { line.removeFirst()() }
    isOwned = false
  }
}

/// The same program on the real thing. The sources are made of nothing but observers, so whatever order there is was
/// made by the operator.
private final class Real: Sendable {
  let program: Program
  let noted = Log<Noted>()
  private let outer = Box<Observer<Observable<Int, TestError>, TestError>>()
  private let inner = Lock<[Int: Observer<Int, TestError>]>([:])
  private let token = Box<Subscription>()

  init(_ program: Program, latest: Bool) {
    self.program = program
    let streams = Observable<Observable<Int, TestError>, TestError>(attach: { [unowned self] in outer.value = $0 })
    let joined: Observable<Int, TestError> = latest ? streams.switchToLatest() : streams.merge()
    token.value = joined.subscribe { [unowned self] value in
      noted.note(.value(value))
      perform(program.onValue[value] ?? [])
    } onEnd: { [unowned self] end in
      noted.note(.end(end))
    }
    perform(program.outside)
  }

  /// Releases everything that the sources hold.
  func tearDown() {
    token.take()?.cancel()
    outer.take()
    inner.exchange(with: [:])
  }

  func perform(_ steps: [Step]) {
    for step in steps {
      switch step {
      case .arrive(let stream): outer.value?.send(stream: self, stream)
      case .value(let value, let stream): observer(stream)?.send(value)
      case .finish(let stream): observer(stream)?.end(.finished)
      case .fail(let stream): observer(stream)?.end(.failed(TestError(code: stream)))
      case .outerFinish: outer.value?.end(.finished)
      case .outerFail: outer.value?.end(.failed(TestError(code: -1)))
      case .cancel: token.value?.cancel()
      }
    }
  }

  func observer(_ stream: Int) -> Observer<Int, TestError>? { inner.withLock { $0[stream] } }

  func stream(_ number: Int) -> Observable<Int, TestError> {
    Observable(attach: { [unowned self] observer in
      inner.withLock { $0[number] = observer }
      noted.note(.attached(number))
      perform(program.onAttach[number] ?? [])
    })
  }
}

extension Observer where Element == Observable<Int, TestError>, Failure == TestError {
  fileprivate func send(stream real: Real, _ number: Int) { send(real.stream(number)) }
}

@Suite("Merge and switch: random programs")
struct RandomJoinTests {
  @Test(
    "Streams that send, end, fail and arrive in any order, also from inside: as the plain reference",
    arguments: [false, true]
  )
  func random(latest: Bool) {
    for seed in 0..<UInt64(rounds(50_000)) {
      let program = Program(seed: seed)
      let model = Model(program, latest: latest)
      let real = Real(program, latest: latest)
      #expect(real.noted.entries == model.noted, "seed \(seed) \(program)")
      real.tearDown()
    }
  }
}
