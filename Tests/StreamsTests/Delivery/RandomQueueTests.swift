import RASPTesting
import TestSupport
import Testing

@testable import Streams

/// What a random program does with a queue. Each value and each job has a number, by which it finds what to do from
/// inside.
private enum Step: Sendable {
  case send(Int)
  case several([Int])
  case run(Int)
  case runWithoutDelivering(Int)
  case close(Int)
}

private enum Noted: Equatable, Sendable {
  case value(Int)
  case job(Int)
  case answer(Bool)
  case pending(Int)
}

/// A program: what happens outside, and what happens inside the delivery of each number.
private struct Program: Sendable {
  var outside: [Step] = []
  var inside: [Int: [Step]] = [:]
  var policy = BufferingPolicy.unbounded

  init(seed: UInt64) {
    var numbers = SplitMix(seed: seed)
    let bound = Int.random(in: -1...4, using: &numbers)
    policy = [.unbounded, .newest(bound), .oldest(bound)].randomElement(using: &numbers) ?? .unbounded
    var last = 0
    var budget = Int.random(in: 1...60, using: &numbers)
    func steps(_ count: Int, _ depth: Int) -> [Step] {
      (0..<count).compactMap { _ in
        guard budget > 0 else { return nil }
        budget -= 1
        func number() -> Int {
          last += 1
          let number = last
          if depth < 4, Int.random(in: 0..<3, using: &numbers) == 0 {
            inside[number] = steps(Int.random(in: 1...5, using: &numbers), depth + 1)
          }
          return number
        }
        switch Int.random(in: 0..<20, using: &numbers) {
        case 0..<10: return .send(number())
        case 10..<13: return .several((0..<Int.random(in: 0...4, using: &numbers)).map { _ in number() })
        case 13..<16: return .run(number())
        case 16..<19: return .runWithoutDelivering(number())
        default: return .close(number())
        }
      }
    }
    outside = steps(Int.random(in: 1...20, using: &numbers), 0)
  }
}

/// A queue as plain as it can be: an array, and whether a delivery is running.
private final class Model {
  enum Item {
    case value(Int)
    case job(Int)
    case change(Int)
  }

  let program: Program
  var line: [Item] = []
  var isOwned = false
  var isClosed = false
  var dropped = 0
  var noted: [Noted] = []

  init(_ program: Program) {
    self.program = program
    perform(program.outside)
  }

  func perform(_ steps: [Step]) {
    for step in steps {
      switch step {
      case .send(let number):
        if isClosed {
          answer(false)
        } else if isOwned {
          answer(append(number))
        } else {
          own { handle(.value(number)) }
          answer(true)
        }
      case .several(let all):
        if isClosed {
          answer(false)
        } else {
          if isOwned {
            let accepted = all.filter { append($0) }
            answer(all.isEmpty || !accepted.isEmpty)
          } else {
            own { for number in all { handle(.value(number)) } }
            answer(true)
          }
        }
      case .run(let number):
        if isOwned { line.append(.job(number)) } else { own { handle(.job(number)) } }
      case .runWithoutDelivering(let number):
        if isOwned { line.append(.change(number)) } else { handle(.change(number)) }
      case .close(let number):
        let isFirst = !isClosed
        isClosed = true
        if isFirst { if isOwned { line.append(.job(number)) } else { own { handle(.job(number)) } } }
        answer(isFirst)
      }
      noted.append(.pending(line.count))
    }
  }

  func answer(_ accepted: Bool) { noted.append(.answer(accepted)) }

  func append(_ number: Int) -> Bool {
    let values = line.indices.filter { if case .value = line[$0] { true } else { false } }
    switch program.policy {
    case .oldest(let limit) where values.count >= max(0, limit):
      dropped += 1
      return false
    case .newest(let limit) where values.count >= max(0, limit):
      dropped += 1
      guard let oldest = values.first else { return false }
      line.remove(at: oldest)
    default: break
    }
    line.append(.value(number))
    return true
  }

  func own(_ body: () -> Void) {
    isOwned = true
    body()
    while !line.isEmpty { handle(line.removeFirst()) }
    isOwned = false
  }

  func handle(_ item: Item) {
    switch item {
    case .value(let number):
      noted.append(.value(number))
      perform(program.inside[number] ?? [])
    case .job(let number):
      noted.append(.job(number))
      perform(program.inside[number] ?? [])
    case .change(let number): noted.append(.job(number))
    }
  }
}

/// The same program on a real queue.
private final class Real: Sendable {
  struct Shell: ~Copyable, DeliveryShell {
    let inside: Box<@Sendable (Int) -> Void>

    mutating func deliver(_ number: Int, _ access: QueueAccess) { inside.value?(number) }
  }

  let program: Program
  let noted = Log<Noted>()
  let queue: DeliveryQueue<Shell>
  private let inside = Box<@Sendable (Int) -> Void>()

  init(_ program: Program) {
    self.program = program
    queue = DeliveryQueue(Shell(inside: inside), buffering: program.policy)
    inside.value = { [unowned self] number in
      noted.note(.value(number))
      perform(program.inside[number] ?? [])
    }
    perform(program.outside)
  }

  func perform(_ steps: [Step]) {
    for step in steps {
      switch step {
      case .send(let number): noted.note(.answer(queue.send(number)))
      case .several(let all): noted.note(.answer(queue.send(contentsOf: all)))
      case .run(let number): queue.run { _, _ in self.job(number) }
      case .runWithoutDelivering(let number):
        queue.runWithoutDelivering { _, _ in self.noted.note(.job(number)) }
      case .close(let number): noted.note(.answer(queue.close { _, _ in self.job(number) }))
      }
      noted.note(.pending(queue.pendingCount))
    }
  }

  private func job(_ number: Int) {
    noted.note(.job(number))
    perform(program.inside[number] ?? [])
  }
}

@Suite("DeliveryQueue: random programs")
struct RandomQueueTests {
  @Test("One thread: the queue does what a plain array does")
  func oneThread() {
    for seed in 0..<UInt64(rounds(50_000)) {
      let program = Program(seed: seed)
      let model = Model(program)
      let real = Real(program)
      #expect(real.noted.entries == model.noted, "seed \(seed) \(program)")
      #expect(real.queue.droppedCount == model.dropped, "seed \(seed)")
      #expect(real.queue.pendingCount == 0, "seed \(seed)")
      let word = QueueWord(real.queue.word.load(ordering: .relaxed))
      #expect(word == (model.isClosed ? .closed : .idle), "seed \(seed)")
    }
  }

  /// What only the owner touches.
  private struct Shell: ~Copyable, DeliveryShell {
    let overlaps: Counter
    let again: Box<@Sendable (Int) -> Void>
    var isInside = false
    var newest = [Int](repeating: -1, count: 4)
    var disorder = 0
    var values = 0
    var jobs = 0

    mutating func deliver(_ value: Int, _ access: QueueAccess) {
      enter()
      if newest[value & 3] >= value >> 2 { disorder += 1 }
      newest[value & 3] = value >> 2
      values += 1
      again.value?(value)
      isInside = false
    }

    mutating func enter() {
      if isInside { overlaps.increment() }
      isInside = true
    }

    mutating func job() {
      enter()
      jobs += 1
      isInside = false
    }
  }

  @Test(
    "Several threads: what was accepted is delivered once or dropped, in order, across hand-overs and a close",
    arguments: [2, 3]
  )
  func severalThreads(count: Int) async {
    for seed in 0..<UInt64(rounds(3_000)) {
      var numbers = SplitMix(seed: seed)
      let overlaps = Counter()
      let again = Box<@Sendable (Int) -> Void>()
      let policy: BufferingPolicy = [.unbounded, .unbounded, .newest(3), .oldest(3)][Int(seed % 4)]
      let queue = DeliveryQueue(Shell(overlaps: overlaps, again: again), buffering: policy)
      // Without a bound, those that were accepted; with one, all that were sent.
      let accepted = Counter()
      let jobs = Counter()
      let valuesAtEnd = Box<Int>()
      let each = Int.random(in: 1...(seed.isMultiple(of: 8) ? 4_000 : 200), using: &numbers)
      let closes = policy == .unbounded && Bool.random(using: &numbers)
      let closesAt = closes ? Int.random(in: 0...each, using: &numbers) : -1
      let seeds = (0..<count).map { _ in UInt64.random(in: 0 ... .max, using: &numbers) }
      // The fourth sender is the callbacks.
      let own = Counter()
      again.value = { [unowned queue] value in
        guard value & 3 != 3, value.isMultiple(of: 5) else { return }
        if queue.send((own.increment() << 2) | 3) || policy != .unbounded { accepted.increment() }
      }
      await Threads.run(count: count) { thread in
        var numbers = SplitMix(seed: seeds[thread])
        for index in 0..<each {
          let value = index << 4 | thread
          switch Int.random(in: 0..<16, using: &numbers) {
          case 0..<3:
            if queue.send(contentsOf: (0..<3).map { value | $0 << 2 }) || policy != .unbounded {
              accepted.increment(by: 3)
            }
          case 3:
            jobs.increment()
            queue.run { shell, _ in shell.job() }
          case 4:
            jobs.increment()
            queue.runWithoutDelivering { shell, _ in shell.job() }
          default: if queue.send(value) || policy != .unbounded { accepted.increment() }
          }
          if thread == 0, index == closesAt { _ = queue.close { shell, _ in valuesAtEnd.value = shell.values } }
        }
      }
      // The rest of a line may have been handed over.
      #expect(await eventually { queue.pendingCount == 0 && queue.isIdle })
      let (values, jobCount, disorder) = await withCheckedContinuation { continuation in
        queue.run { shell, _ in continuation.resume(returning: (shell.values, shell.jobs, shell.disorder)) }
      }
      #expect(values + queue.droppedCount == accepted.value, "seed \(seed)")
      #expect(jobCount == jobs.value, "seed \(seed)")
      #expect(disorder == 0, "seed \(seed)")
      #expect(overlaps.value == 0, "seed \(seed)")
      if closesAt >= 0, closesAt < each { #expect(valuesAtEnd.value == accepted.value, "seed \(seed)") }
      again.take()
    }
  }
}
