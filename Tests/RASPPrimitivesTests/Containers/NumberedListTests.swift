import TestSupport
import Testing

@testable import RASPPrimitives

@Suite("Lists that keep an order")
struct NumberedListTests {
  @Test("A list behaves like an array of numbers and elements, whatever is taken out", arguments: 0..<4)
  func list(_ seed: Int) {
    var numbers = SplitMix(seed: UInt64(seed))
    var list = NumberedList<Int>()
    var model: [(number: Int, element: Int)] = []
    var last = 0
    for step in 0..<rounds(40_000) {
      // Seeds differ in how far the list fills, and whether it empties now and then.
      if Int.random(in: 0..<8, using: &numbers) < 3 + seed || (step >> 8) & 3 == 0 {
        last += Int.random(in: 1...3, using: &numbers)
        list.append(step, number: last)
        model.append((last, step))
      } else {
        // Of what is there, of what was taken out, and of what never was.
        let number = Int.random(in: max(0, last - 40)...last + 1, using: &numbers)
        let index = model.firstIndex { $0.number == number }
        #expect(list.remove(number) == index.map { model.remove(at: $0).element }, "step \(step)")
      }
      if list.count != model.count || list.isEmpty != model.isEmpty { Issue.record("step \(step)") }
      if step.isMultiple(of: 64) { #expect(list.values == model.map(\.element), "step \(step)") }
    }
    for (number, element) in model.reversed() { #expect(list.remove(number) == element) }
    #expect(list.isEmpty && list.values == [])
  }
}
