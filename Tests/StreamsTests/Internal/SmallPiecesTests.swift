import RASPTesting
import TestSupport
import Testing

@testable import Streams

@Suite("StreamEnd")
struct StreamEndTests {
  @Test("get throws the failure, typed, and nothing else")
  func get() {
    let finished = StreamEnd<Never>.finished
    finished.get()
    do {
      try StreamEnd<TestError>.finished.get()
      try StreamEnd.failed(TestError(code: 3)).get()
      Issue.record("Nothing was thrown")
    } catch {
      #expect(error.code == 3)
    }
  }

  @Test("Ends are equal and hashed as their failures are")
  func equality() {
    #expect(StreamEnd<TestError>.finished == .finished)
    #expect(StreamEnd.failed(TestError(code: 1)) == .failed(TestError(code: 1)))
    #expect(StreamEnd.failed(TestError(code: 1)) != .failed(TestError(code: 2)))
    #expect(StreamEnd.failed(TestError()) != .finished)
    #expect(Set([StreamEnd.failed(TestError()), .finished, .finished]).count == 2)
  }
}

@Suite("SubscriptionSlot")
struct SubscriptionSlotTests {
  private let parent = Lifetime()

  @Test("A newcomer replaces and cancels what is there; the parent's end cancels and closes")
  func replace() {
    let slot = SubscriptionSlot(of: parent)
    let tokens = (0..<3).map { _ in Subscription {} }
    slot.replace(with: tokens[0], turn: 0)
    slot.replace(with: tokens[1], turn: 1)
    #expect(tokens.map(\.isActive) == [false, true, true])
    parent.terminate()
    #expect(!tokens[1].isActive)
    slot.replace(with: tokens[2], turn: 2)
    #expect(!tokens[2].isActive)
  }

  @Test("A token for an earlier turn comes too late and is cancelled")
  func outOfTurn() {
    let slot = SubscriptionSlot(of: parent)
    let newer = Subscription {}
    let older = Subscription {}
    slot.replace(with: newer, turn: 2)
    slot.replace(with: older, turn: 1)
    #expect(newer.isActive)
    #expect(!older.isActive)
    slot.replace(with: nil, turn: 2)
    #expect(!newer.isActive)
  }

  @Test("The slot owns what is in it, and cancelling may use the slot: no lock is held")
  func reentrant() {
    let slot = SubscriptionSlot(of: parent)
    let order = Log<String>()
    slot.replace(
      with: Subscription {
        order.note("first")
        slot.replace(with: Subscription { order.note("nested") }, turn: 5)
      },
      turn: 0
    )
    #expect(order.count == 0)
    slot.replace(with: Subscription { order.note("second") }, turn: 1)
    #expect(order.entries == ["first", "second"])
    parent.terminate()
    #expect(order.entries == ["first", "second", "nested"])
  }

  @Test("Filling against closing: nothing stays active")
  func race() {
    for _ in 0..<500 {
      let parent = Lifetime()
      let slot = SubscriptionSlot(of: parent)
      let cancelled = Counter()
      Threads.run(
        { for turn in 0..<10 { slot.replace(with: Subscription { cancelled.increment() }, turn: turn) } },
        { parent.terminate() }
      )
      #expect(cancelled.value == 10)
    }
  }
}

@Suite("SharedSlot")
struct SharedSlotTests {
  private final class Holder: Sendable {
    let slot = SharedSlot([Int](repeating: 0, count: 4))
  }

  @Test("A copy is never torn, and what is replaced is released outside the lock")
  func copies() {
    let holder = Holder()
    let torn = Counter()
    Threads.run(
      {
        for value in 1...5_000 {
          if value.isMultiple(of: 2) {
            holder.slot.replace(with: [Int](repeating: value, count: 4))
          } else {
            holder.slot.modify { values in for index in values.indices { values[index] = value } }
          }
        }
      },
      {
        for _ in 0..<5_000 {
          if Set(holder.slot.copy()).count != 1 { torn.increment() }
          if let copy = holder.slot.copyIfAvailable(), Set(copy).count != 1 { torn.increment() }
        }
      }
    )
    #expect(torn.value == 0)
    #expect(holder.slot.value == [5_000, 5_000, 5_000, 5_000])
  }

  @Test("copyIfAvailable gives up at once while the value is being changed")
  func unavailable() {
    let slot = SharedSlot(1)
    slot.modify { value in
      #expect(slot.copyIfAvailable() == nil)
      value = 2
    }
    #expect(slot.copyIfAvailable() == 2)
  }

  @Test("A deinit of what was replaced may read the slot")
  func release() {
    final class Objects: Sendable {
      let slot = SharedSlot<LifetimeTracker.Object?>(nil)
    }
    let tracker = LifetimeTracker()
    let objects = Objects()
    let seen = Counter()
    objects.slot.replace(with: tracker.make { if objects.slot.copy() == nil { seen.increment() } })
    objects.slot.replace(with: nil)
    #expect(seen.value == 1)
    #expect(tracker.liveCount == 0)
  }
}

@Suite("Latch")
struct LatchTests {
  @Test("Waiting returns when it has fired: before, after, and again")
  func fires() async {
    let fired = Latch()
    fired.fire()
    fired.fire()
    await fired.wait()
    await fired.wait()

    let later = Latch()
    let task = Task {
      await later.wait()
      return true
    }
    await Task.yield()
    later.fire()
    later.fire()
    #expect(await task.value)
  }

  @Test("Firing against waiting: the waiter is resumed exactly once")
  func race() async {
    for round in 0..<500 {
      let shot = Latch()
      let task = Task { await shot.wait() }
      for _ in 0..<(round % 5) { await Task.yield() }
      await onThread { Threads.run({ shot.fire() }, { shot.fire() }) }
      await task.value
    }
  }
}

@Suite("ObjectList")
struct ObjectListTests {
  private final class Numbered {
    let number: Int
    let object: LifetimeTracker.Object

    init(_ number: Int, _ object: LifetimeTracker.Object) {
      self.number = number
      self.object = object
    }
  }

  @Test("Keeps the order through removals that close the gap, hands out what it removes, and lets go of the rest")
  func order() {
    let tracker = LifetimeTracker()
    do {
      var list = ObjectList<Numbered>()
      for number in 0..<100 { list.append(Numbered(number, tracker.make())) }
      #expect(list.firstIndex { $0.number == 41 } == 41)
      #expect(list.remove(at: 41).number == 41)
      #expect(list.firstIndex { $0.number == 41 } == nil)
      #expect(list.remove(at: 98).number == 99)
      #expect(list.remove(at: 0).number == 0)
      var walked: [Int] = []
      list.forEach { walked.append($0.number) }
      #expect(walked == (1..<99).filter { $0 != 41 })
      #expect(tracker.liveCount == list.count)
    }
    #expect(tracker.liveCount == 0)
  }

  @Test("Removal that fills the gap with the last one takes out exactly that object")
  func swapRemoval() {
    let tracker = LifetimeTracker()
    var list = ObjectList<Numbered>()
    for number in 0..<4 { list.append(Numbered(number, tracker.make())) }
    #expect(list.swapRemove(at: 1).number == 1)
    #expect(list.objects.map(\.number) == [0, 3, 2])
    #expect(list.swapRemove(at: 2).number == 2)
    #expect(list.objects.map(\.number) == [0, 3])
    #expect(list.removeAll().map(\.number) == [0, 3])
    let isEmpty = list.isEmpty
    #expect(isEmpty)
    #expect(tracker.liveCount == 0)
  }
}
