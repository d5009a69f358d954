import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("SlotQueue and WaitingItems")
struct SlotQueueTests {
  /// A value that counts, and whose alignment is that of its vector.
  private struct Wide {
    let vector: SIMD16<Double>
    let object: LifetimeTracker.Object
  }

  @Test("A random program: slots come out in the order in which they went in, whatever their size", arguments: 0..<3)
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
    let layout = SlotLayout(of: Value.self)
    for seed in 0..<UInt64(rounds(2_000)) {
      var numbers = SplitMix(seed: seed)
      var queue = SlotQueue()
      var plain: [Int] = []
      var last = 0
      for _ in 0..<Int.random(in: 1...20, using: &numbers) {
        if Bool.random(using: &numbers) {
          for _ in 0..<Int.random(in: 1...(seed.isMultiple(of: 16) ? 1_500 : 40), using: &numbers) {
            last += 1
            let slot = queue.append(layout)
            slot.waiter.initialize(to: waiter(last))
            #expect(Int(bitPattern: slot.value) % MemoryLayout<Value>.alignment == 0)
            slot.value.initializeMemory(as: Value.self, to: value(last))
            plain.append(last)
          }
        } else {
          for _ in 0..<min(plain.count, Int.random(in: 1...60, using: &numbers)) { check(&queue, &plain) }
        }
        #expect(queue.count == plain.count)
      }
      while !plain.isEmpty { check(&queue, &plain) }
      #expect(queue.first == nil)
    }

    func check(_ queue: inout SlotQueue, _ plain: inout [Int]) {
      let slot = queue.removeFirst()
      let expected = plain.removeFirst()
      #expect(slot.waiter.move().sender == UInt(expected))
      #expect(number(slot.value.assumingMemoryBound(to: Value.self).move()) == expected)
    }
  }

  private func waiter(_ number: Int) -> LineWaiter {
    LineWaiter(deliver: { _, _, _ in }, sender: UInt(number), cause: .unknown)
  }

  @Test("A random program: values and jobs come in the order in which they were added, also when the oldest value goes")
  func items() {
    let layout = SlotLayout(of: Int.self)
    let queue = DeliveryQueue(JobShell())
    for seed in 0..<UInt64(rounds(5_000)) {
      var numbers = SplitMix(seed: seed)
      var items = WaitingItems()
      var others = WaitingItems()
      var plain: [(number: UInt, isJob: Bool)] = []
      var moved: [UInt] = []
      for number in 1...UInt(Int.random(in: 1...200, using: &numbers)) {
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0..<3:
          items.addJob(waiter(Int(number)))
          plain.append((number, true))
        case 3..<7:
          let slot = items.addValue(layout)
          slot.waiter.initialize(to: mover(number))
          slot.value.initializeMemory(as: Int.self, to: Int(number))
          plain.append((number, false))
        case 7:
          guard let oldest = plain.firstIndex(where: { !$0.isJob }) else { break }
          #expect(items.removeFirstValue().waiter.move().sender == plain.remove(at: oldest).number)
        case 8:
          guard !plain.isEmpty else { break }
          items.moveFirst(to: &others, queue)
          moved.append(plain.removeFirst().number)
        default:
          #expect(items.removeFirst()?.waiter.move().sender == (plain.isEmpty ? nil : plain.removeFirst().number))
        }
        let (all, values) = (items.count, items.valueCount)
        #expect(all == plain.count && values == plain.count { !$0.isJob })
      }
      for expected in plain { #expect(items.removeFirst()?.waiter.move().sender == expected.number) }
      for expected in moved { #expect(others.removeFirst()?.waiter.move().sender == expected) }
      #expect(items.removeFirst() == nil && others.removeFirst() == nil)
    }
  }

  private func mover(_ number: UInt) -> LineWaiter {
    LineWaiter(
      deliver: { _, value, place in
        place?.initializeMemory(as: Int.self, from: value.assumingMemoryBound(to: Int.self), count: 1)
      },
      sender: number,
      cause: .unknown
    )
  }
}
