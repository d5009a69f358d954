import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Combining streams: each number of them")
struct CombineLatestRandomTests {
  private typealias Inputs = [Observable<Int, TestError>]

  /// The row of up to eight streams is made of pairs, and that of nine is a pack.
  private static let combinations: [Int: @Sendable (Inputs) -> Observable<[Int], TestError>] = [
    2: { Observable.combineLatest($0[0], $0[1]).map { [$0.0, $0.1] } },
    3: { Observable.combineLatest($0[0], $0[1], $0[2]).map { [$0.0, $0.1, $0.2] } },
    4: { Observable.combineLatest($0[0], $0[1], $0[2], $0[3]).map { [$0.0, $0.1, $0.2, $0.3] } },
    5: { Observable.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4]).map { [$0.0, $0.1, $0.2, $0.3, $0.4] } },
    6: {
      Observable.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5]).map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5] }
    },
    7: {
      Observable.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6]).map {
        [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6]
      }
    },
    8: {
      Observable.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7]).map {
        [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7]
      }
    },
    9: {
      let nine = Observable.combineLatest($0[0], $0[1], $0[2], $0[3], $0[4], $0[5], $0[6], $0[7], $0[8])
      return nine.map { [$0.0, $0.1, $0.2, $0.3, $0.4, $0.5, $0.6, $0.7, $0.8] }
    },
  ]

  @Test("S-COMBINE-01, S-COMBINE-02: random values and ends of two to nine streams", arguments: 2...9)
  func random(_ count: Int) throws {
    let combine = try #require(Self.combinations[count])
    for seed in 0..<UInt64(rounds(2_000)) {
      var numbers = SplitMix(seed: seed)
      let subjects = (0..<count).map { _ in Subject<Int, TestError>() }
      let recorder = Recorder(combine(subjects.map(\.observable)))
      var newest: [Int?] = Array(repeating: nil, count: count)
      var ended: Set<Int> = []
      var values: [[Int]] = []
      var end: StreamEnd<TestError>?
      for step in 0..<6 * count {
        let input = Int.random(in: 0..<count, using: &numbers)
        let isOver = end != nil || ended.contains(input)
        switch Int.random(in: 0..<24, using: &numbers) {
        case 0:
          subjects[input].fail(TestError(code: step))
          if !isOver { end = .failed(TestError(code: step)) }
        case 1, 2:
          subjects[input].finish()
          if isOver { continue }
          ended.insert(input)
          if ended.count == count || newest[input] == nil { end = .finished }
        default:
          subjects[input].send(step)
          if isOver { continue }
          newest[input] = step
          let all = newest.compactMap { $0 }
          if all.count == count { values.append(all) }
        }
      }
      #expect(recorder.values == values, "seed \(seed)")
      #expect(recorder.end == end, "seed \(seed)")
      // A subject that is released ends its stream.
      withExtendedLifetime(subjects) {}
    }
  }
}
