import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("RingBuffer")
struct RingBufferTests {
  @Test("Behaves like an array, operation by operation", arguments: 1...8)
  func model(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    var buffer = RingBuffer<Int>()
    var model: [Int] = []
    for step in 0..<12_000 {
      // Seeds differ in how far the buffer fills: up to some thousands, which is more than an empty one keeps.
      if Int.random(in: 0..<16, using: &random) < 6 + seed / 2 {
        buffer.append(step)
        model.append(step)
      } else {
        let expected = model.isEmpty ? nil : model.removeFirst()
        if buffer.popFirst() != expected { Issue.record("popFirst at step \(step)") }
      }
      if buffer.count != model.count || buffer.isEmpty != model.isEmpty || buffer.first != model.first {
        Issue.record("step \(step)")
      }
      if let index = model.indices.randomElement(using: &random) {
        if buffer[index] != model[index] { Issue.record("element \(index) at step \(step)") }
        buffer[index] = -step
        model[index] = -step
      }
      if step.isMultiple(of: 150) { #expect(buffer.elements == model) }
    }
    #expect(buffer.elements == model)
    while let first = buffer.popFirst() { #expect(first == model.removeFirst()) }
    #expect(model.isEmpty)
  }

  @Test("The memory of many elements is given back when they have been popped")
  func memory() {
    var buffer = RingBuffer<Int>()
    for number in 0..<100_000 { buffer.append(number) }
    for number in 0..<100_000 { #expect(buffer.popFirst() == number) }
    #expect(buffer.isEmpty && buffer.slots.isEmpty)
  }

  @Test("Optional elements are elements")
  func optionals() {
    var buffer = RingBuffer<Int?>()
    buffer.append(nil)
    buffer.append(1)
    #expect(buffer.count == 2)
    #expect(buffer.elements == [nil, 1])
    #expect(buffer.popFirst() == .some(nil))
    #expect(buffer.popFirst() == .some(1))
    #expect(buffer.popFirst() == nil)
  }

  @Test("What was popped is not kept")
  func release() {
    let tracker = LifetimeTracker()
    var buffer = RingBuffer<LifetimeTracker.Object>()
    for _ in 0..<20 { buffer.append(tracker.make()) }
    for _ in 0..<15 { _ = buffer.popFirst() }
    #expect(tracker.liveCount == 5)
    for _ in 0..<40 { buffer.append(tracker.make()) }
    while buffer.popFirst() != nil {}
    #expect(tracker.liveCount == 0)
  }

  @Test("A copy is a copy")
  func copies() {
    var buffer = RingBuffer<Int>()
    for value in 0..<5 { buffer.append(value) }
    let copy = buffer
    _ = buffer.popFirst()
    buffer.append(9)
    #expect(copy.elements == [0, 1, 2, 3, 4])
    #expect(buffer.elements == [1, 2, 3, 4, 9])
  }
}
