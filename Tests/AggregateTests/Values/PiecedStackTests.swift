import TestSupport
import Testing

@testable import Aggregate

@Suite("Lists in pieces")
struct PiecedStackTests {
  @Test("A stack in pieces is as an array, and copies of it stay as they were, in random programs")
  func stacks() {
    for seed in 0..<UInt64(rounds(5_000)) {
      var random = SplitMix(seed: seed)
      var stack = PiecedStack<String>()
      var reference: [String] = []
      var kept: [(PiecedStack<String>, [String])] = []
      for step in 0..<60 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: kept.append((stack, reference))
        case 1:
          for _ in 0..<Int.random(in: 0..<70, using: &random) { #expect(stack.popLast() == reference.popLast()) }
        case 2 where Int.random(in: 0..<8, using: &random) == 0:
          stack.removeAll()
          reference = []
        default:
          for number in 0..<Int.random(in: 0..<40, using: &random) {
            stack.append("\(step) \(number)")
            reference.append("\(step) \(number)")
          }
        }
        expect(stack, reference, seed)
      }
      for (stack, reference) in kept { expect(stack, reference, seed) }
    }
  }

  private func expect(_ stack: PiecedStack<String>, _ reference: [String], _ seed: UInt64) {
    #expect(stack.elements == reference && stack.count == reference.count, "seed \(seed)")
    #expect(stack.first == reference.first && stack.last == reference.last, "seed \(seed)")
    #expect(stack.isEmpty == reference.isEmpty, "seed \(seed)")
  }

  @Test(
    "A history is as an array that forgets its first elements, and copies of it stay as they were, in random programs"
  )
  func histories() {
    for seed in 0..<UInt64(rounds(5_000)) {
      var random = SplitMix(seed: seed)
      let limit = [0, 1, 5, 31, 32, 33, 100][Int.random(in: 0..<7, using: &random)]
      var history = History<Int>()
      var reference: [Int] = []
      var kept: [(History<Int>, [Int])] = []
      for step in 0..<60 {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: kept.append((history, reference))
        case 1, 2:
          for _ in 0..<Int.random(in: 0..<70, using: &random) { #expect(history.popLast() == reference.popLast()) }
        case 3 where Int.random(in: 0..<8, using: &random) == 0:
          history.removeAll()
          reference = []
        default:
          for number in 0..<Int.random(in: 0..<40, using: &random) {
            history.append(step * 100 + number, limit: limit)
            reference = (reference + [step * 100 + number]).suffix(limit)
          }
        }
        #expect(history.elements == reference && history.count == reference.count, "seed \(seed)")
        #expect(history.last == reference.last && history.isEmpty == reference.isEmpty, "seed \(seed)")
      }
      for (history, reference) in kept { #expect(history.elements == reference, "seed \(seed)") }
    }
  }
}
