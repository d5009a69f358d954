import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPSupport

/// A key whose code looks at the lines, which would wait for ever if a lock were held. Few hash values, so that keys
/// that differ stand beside each other.
private struct Curious: Hashable, Sendable {
  let number: Int
  let lines: OverlapLines<Int>?

  static func == (lhs: Self, rhs: Self) -> Bool {
    _ = lhs.lines?.keyCount
    return lhs.number == rhs.number
  }

  func hash(into hasher: inout Hasher) {
    _ = lines?.keyCount
    hasher.combine(number % 3)
  }
}

@Suite("Work that overlaps by keys", .endsInTime)
struct OverlapLinesTests {
  private func said(_ answer: OverlapMachine<Int>.Answer) -> (text: String, number: Int?) {
    switch answer {
    case .start(let number): ("start", number)
    case .replace(let number, let work): ("replace \(work)", number)
    case .wait(let number): ("wait", number)
    case .drop: ("drop", nil)
    }
  }

  /// The same with lists that are searched. A key is `nil` for work that has none.
  private struct Reference {
    let policy: OverlapPolicy
    var running: [(key: Int?, work: Int, isReplaced: Bool)] = []
    var waiting: [(key: Int?, work: Int)] = []

    mutating func arrived(_ work: Int, _ key: Int?) -> String {
      let same = running.indices.filter { running[$0].key == key }
      if policy == .first, !same.isEmpty { return "drop" }
      if policy == .serial, !same.isEmpty {
        waiting.append((key, work))
        return "wait"
      }
      defer { running.append((key, work, false)) }
      guard policy == .newest, let replaced = same.first(where: { !running[$0].isReplaced }) else { return "start" }
      running[replaced].isReplaced = true
      return "replace \(running[replaced].work)"
    }

    mutating func left(_ work: Int) -> Int? {
      if let index = waiting.firstIndex(where: { $0.work == work }) {
        waiting.remove(at: index)
        return nil
      }
      guard let index = running.firstIndex(where: { $0.work == work }) else { return nil }
      let key = running.remove(at: index).key
      guard policy == .serial, let next = waiting.firstIndex(where: { $0.key == key }) else { return nil }
      let work = waiting.remove(at: next).work
      running.append((key, work, false))
      return work
    }

    /// The keys under which something runs; what waits does so behind something that runs.
    var keys: Set<Int> { Set(running.compactMap(\.key)) }
  }

  @Test("LOAD-100: random work under random keys does what searched lists do", arguments: OverlapPolicy.allCases)
  func random(policy: OverlapPolicy) {
    for seed in 0..<UInt64(rounds(10_000)) {
      var numbers = SplitMix(seed: seed)
      let started = Log<Int>()
      let lines = OverlapLines<Int>(policy) { started.note($0) }
      var reference = Reference(policy: policy)
      var places: [Int: (line: OverlapLine<Int>, number: Int)] = [:]
      var expected: [Int] = []
      for work in 0..<Int.random(in: 1...60, using: &numbers) {
        if let leaving = places.keys.sorted().randomElement(using: &numbers), Bool.random(using: &numbers) {
          let place = places.removeValue(forKey: leaving)
          place.map { $0.line.left($0.number) }
          if let next = reference.left(leaving) { expected.append(next) }
        } else {
          let key = Int.random(in: -1..<7, using: &numbers)
          let (line, answer) = lines.arrived(work, under: key < 0 ? nil : Curious(number: key, lines: lines))
          let (text, number) = said(answer)
          #expect(text == reference.arrived(work, key < 0 ? nil : key), "seed \(seed), work \(work)")
          if let number { places[work] = (line, number) }
        }
        #expect(started.entries == expected, "seed \(seed), work \(work)")
        if policy != .concurrent { #expect(lines.keyCount == reference.keys.count, "seed \(seed), work \(work)") }
      }
      for (_, place) in places.sorted(by: { $0.key < $1.key }) { place.line.left(place.number) }
      #expect(lines.keyCount == 0, "seed \(seed)")
    }
  }

  @Test("LOAD-101: nothing is kept of keys under which nothing runs or waits")
  func noGrowth() {
    let tracker = LifetimeTracker()
    let lines = OverlapLines<Int>(.serial) { _ in }
    for number in 0..<10_000 {
      let key = Kept(number: number, token: tracker.make())
      let (line, answer) = lines.arrived(number, under: key)
      #expect(said(answer).text == "start")
      #expect(lines.keyCount == 1)
      line.left(0)
    }
    #expect(lines.keyCount == 0)
    #expect(tracker.liveCount == 0)
  }

  @Test("LOAD-102: of one key only one runs, from many threads, and each work that waits is started", .endsInTime)
  func threads() {
    for round in 0..<rounds(2_000) {
      let running = (0..<2).map { _ in Counter() }
      let (started, done) = (Counter(), Counter())
      let works = Lock<[Int: @Sendable () -> Void]>([:])
      let lines = OverlapLines<Int>(.serial) { work in works.withLock { $0[work] }?() }
      Threads.run(count: 4) { thread in
        for number in 0..<10 {
          let (key, work) = ((thread + number + round) % 2, thread * 10 + number)
          let place = Box<(OverlapLine<Int>, Int)>()
          let isKnown = Flag()
          let body: @Sendable () -> Void = {
            #expect(running[key].increment() == 1)
            started.increment()
            running[key].decrement()
            _ = isKnown.wait()
            place.value.map { $0.0.left($0.1) }
            done.increment()
          }
          works.withLock { $0[work] = body }
          let (line, answer) = lines.arrived(work, under: Curious(number: key, lines: lines))
          place.value = said(answer).number.map { (line, $0) }
          isKnown.raise()
          if case .start = answer { body() }
        }
      }
      #expect(started.value == 40)
      #expect(done.value == 40)
      #expect(lines.keyCount == 0)
    }
  }
}

private struct Kept: Hashable, Sendable {
  let number: Int
  let token: LifetimeTracker.Object

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.number == rhs.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
