import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("SlotQueue")
struct SlotQueueTests {
  /// A value that counts, and whose alignment is that of its vector.
  private struct Wide {
    let vector: SIMD16<Double>
    let object: LifetimeTracker.Object
  }

  @Test(
    "A random program: values and jobs come out in the order in which they went in, whatever the size of a value",
    arguments: 0..<3
  )
  func slots(kind: Int) {
    switch kind {
    case 0:
      compare {
        $0
      } number: {
        $0
      }
    case 1:
      compare {
        "\($0), and so long that it needs memory"
      } number: {
        Int($0.prefix { $0 != "," }) ?? -1
      }
    default:
      let tracker = LifetimeTracker()
      compare {
        Wide(vector: SIMD16(repeating: Double($0)), object: tracker.make())
      } number: {
        Int($0.vector[15])
      }
      #expect(tracker.liveCount == 0)
    }
  }

  private func compare<Value>(_ value: (Int) -> Value, number: (Value) -> Int) {
    let layout = SlotLayout(size: MemoryLayout<Value>.size, alignment: MemoryLayout<Value>.alignment)
    for seed in 0..<UInt64(rounds(2_000)) {
      var numbers = SplitMix(seed: seed)
      var queue = SlotQueue(layout)
      var plain: [(number: Int, isJob: Bool)] = []
      var last = 0
      // A slot that was taken out and is emptied later, after others were added.
      var held: (slot: LineSlot, number: Int, isJob: Bool)?
      for _ in 0..<Int.random(in: 1...20, using: &numbers) {
        switch Int.random(in: 0..<5, using: &numbers) {
        case 0..<2:
          for _ in 0..<Int.random(in: 1...(seed.isMultiple(of: 16) ? 1_500 : 40), using: &numbers) {
            last += 1
            let isJob = Int.random(in: 0..<4, using: &numbers) == 0
            let slot = queue.append(waiter(last, isJob: isJob))
            #expect(Int(bitPattern: slot.value) % MemoryLayout<Value>.alignment == 0)
            if !isJob { slot.value.initializeMemory(as: Value.self, to: value(last)) }
            plain.append((last, isJob))
          }
        case 2:
          check(held)
          held = nil
          queue.rewind()
        default:
          for _ in 0..<Int.random(in: 1...60, using: &numbers) {
            check(held)
            held = takeOut(&queue, &plain)
          }
        }
        #expect(queue.count == plain.count)
        #expect(queue.valueCount == plain.count { !$0.isJob })
      }
      repeat {
        check(held)
        held = takeOut(&queue, &plain)
      } while held != nil
      #expect(plain.isEmpty)
    }

    func takeOut(
      _ queue: inout SlotQueue,
      _ plain: inout [(number: Int, isJob: Bool)]
    ) -> (slot: LineSlot, number: Int, isJob: Bool)? {
      guard let slot = queue.removeFirst() else { return nil }
      let expected = plain.removeFirst()
      return (slot, expected.number, expected.isJob)
    }

    func check(_ held: (slot: LineSlot, number: Int, isJob: Bool)?) {
      guard let held else { return }
      let waiter = held.slot.waiter.move()
      #expect(waiter.sender == UInt(held.number))
      #expect(waiter.isValue != held.isJob)
      if !held.isJob { #expect(number(held.slot.value.assumingMemoryBound(to: Value.self).move()) == held.number) }
    }
  }

  private func waiter(_ number: Int, isJob: Bool) -> LineWaiter {
    let job: QueueOwnership.LineJob = { _ in }
    return LineWaiter(job: isJob ? job : nil, sender: UInt(number), cause: .unknown)
  }
}
