import RASPTesting
import Synchronization
import TestSupport
import Testing

@testable import Streams

/// Two numbers behind a gate. Each change raises both, one after the other, so a copy that holds two different numbers
/// was made in the middle of a change.
private final class GuardedPair: Sendable {
  struct Pair: Equatable, Sendable {
    var first = 0
    var second = 0
    var isWhole: Bool { first == second }
  }

  /// Safe to share: that is what the tests test.
  private struct Memory: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<Pair>
  }

  let gate = StateGate()
  private let memory: Memory

  init() {
    memory = Memory(pointer: .allocate(capacity: 1))
    memory.pointer.initialize(to: Pair())
  }

  deinit {
    memory.pointer.deallocate()
  }

  /// Only one thread changes.
  func change(_ inside: () -> Void = {}) {
    gate.change {
      let pair = gate.changed(UnsafePointer(memory.pointer))
      pair.pointee.first += 1
      inside()
      pair.pointee.second += 1
    }
  }

  func read() -> Pair? { gate.read { memory.pointer.pointee } }

  /// Copies slowly: an owner that does not wait changes what is being copied.
  func readSlowly(_ begun: Flag) -> Pair? {
    gate.read {
      let first = memory.pointer.pointee.first
      begun.raise()
      for _ in 0..<2_000 { CurrentThread.pause(64) }
      return Pair(first: first, second: memory.pointer.pointee.second)
    }
  }
}

@Suite("StateGate")
struct StateGateTests {
  @Test("A change waits for a reader that copies")
  func readerAgainstChange() {
    for _ in 0..<rounds(2_000) {
      let pair = GuardedPair()
      let begun = Flag()
      let seen = Box<GuardedPair.Pair>()
      Threads.run(
        { seen.value = pair.readSlowly(begun) },
        {
          _ = begun.wait()
          for _ in 0..<3 { pair.change() }
        }
      )
      #expect(seen.value?.isWhole == true)
      #expect(pair.read() == .init(first: 3, second: 3))
    }
  }

  @Test("A thread does not wait for itself: not inside a change, and not inside a copy")
  func ownReads() {
    let pair = GuardedPair()
    var during: [GuardedPair.Pair?] = []

    pair.change { during.append(pair.read()) }
    let inside = pair.gate.read { pair.read() }

    #expect(during == [nil])
    #expect(inside == .some(nil))
    #expect(pair.read() == .init(first: 1, second: 1))
  }

  @Test("A reader does not wait for what the owner does between two changes")
  func betweenChanges() {
    let pair = GuardedPair()
    let (hasChanged, hasRead) = (Flag(), Flag())
    let seen = Log<GuardedPair.Pair?>()
    Threads.run(
      {
        for _ in 0..<2 {
          pair.change()
          hasChanged.raise()
          #expect(hasRead.wait())
        }
      },
      {
        _ = hasChanged.wait()
        seen.note(pair.read())
        hasRead.raise()
      }
    )
    #expect(seen.entries == [.init(first: 1, second: 1)])
  }

  @Test("Readers beside an owner: no torn copy, and none that goes back", arguments: [1, 3])
  func storm(readers: Int) {
    let pair = GuardedPair()
    let (torn, back, isOver) = (Counter(), Counter(), Flag())
    let changes = rounds(300_000)
    Threads.run(count: readers + 1) { thread in
      if thread == 0 {
        for _ in 0..<changes { pair.change() }
        isOver.raise()
        return
      }
      var newest = 0
      while !isOver.isRaised {
        guard let copy = pair.read(), copy.isWhole else {
          torn.increment()
          continue
        }
        if copy.first < newest { back.increment() }
        newest = copy.first
      }
    }
    #expect(torn.value == 0)
    #expect(back.value == 0)
    #expect(pair.read() == .init(first: changes, second: changes))
    let isAsked = pair.gate.isAsked.load(ordering: .relaxed)
    #expect(!isAsked)
  }

  #if DEBUG
    @Test("Changes that read behind one another in a circle: one of them finds it, and all end", arguments: [2, 3, 4])
    func circle(count: Int) {
      for _ in 0..<rounds(20_000) {
        let pairs = (0..<count).map { _ in GuardedPair() }
        let (inside, seen) = (Counter(), Log<GuardedPair.Pair?>())
        Threads.run(count: count) { thread in
          pairs[thread].change {
            inside.increment()
            while inside.value < count { CurrentThread.pause(64) }
            seen.note(pairs[(thread + 1) % count].read())
          }
        }
        #expect(seen.entries.count { $0 == nil } == 1)
        #expect(seen.entries.allSatisfy { $0 == nil || $0 == .init(first: 1, second: 1) })
      }
    }

    @Test("A change that reads behind another gate in vain, without a circle, waits and is answered")
    func chain() {
      let (first, second) = (GuardedPair(), GuardedPair())
      let (isInside, isWaiting) = (Flag(), Flag())
      let seen = Log<GuardedPair.Pair?>()
      Threads.run(
        {
          first.change {
            isInside.raise()
            CurrentThread.wait { first.gate.isAsked.load(ordering: .relaxed) }
            isWaiting.raise()
          }
        },
        {
          _ = isInside.wait()
          second.change { seen.note(first.read()) }
        }
      )
      #expect(isWaiting.isRaised)
      #expect(seen.entries == [.init(first: 1, second: 1)])
    }

    @Test("What stands behind a gate and is changed in front of it traps in a debug build")
    func inFront() async {
      await #expect(processExitsWith: .failure) {
        var number = 0
        withUnsafePointer(to: &number) { _ = StateGate().changed($0) }
      }
    }
  #endif
}
