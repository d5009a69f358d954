import Testing

/// Every interleaving of a few threads, one atomic operation at a time: what a race of many iterations may miss.
@Suite("Explored")
struct ExploredTests {
  @Test(
    "Senders and a cancellation: no value is lost or left, all come in one order, and none when cancel has returned",
    arguments: [([1, 1], true), ([2, 1], true), ([3, 2], false), ([1, 1, 1], false)]
  )
  func queue(_ senders: [Int], _ cancels: Bool) {
    let (count, fault) = explore(QueueWorld(senders: senders, cancels: cancels))
    #expect(fault == nil)
    #expect(count > 500)
  }

  @Test("An owner and readers: no copy is torn, none waits for ever, nor for two changes that begin when it has asked")
  func gate() {
    for (changes, readers) in [(1, 1), (3, 1), (5, 1), (3, 2), (2, 3)] {
      let (count, fault) = explore(GateWorld(changes: changes, readers: readers))
      #expect(fault == nil, "\(changes) changes, \(readers) readers")
      #expect(count > 20)
    }
  }

  @Test(
    "A mistake in the queue is found",
    arguments: [
      QueueWorld.Mistake.leavesWithoutLook, .admitsWithoutWaiting, .cancelDoesNotHandOver, .ignoresCancellation,
    ]
  )
  func mistakesOfTheQueue(_ mistake: QueueWorld.Mistake) {
    #expect(explore(QueueWorld(senders: [2, 1], cancels: true, mistake: mistake)).fault != nil)
  }

  @Test(
    "A mistake at the gate is found",
    arguments: [GateWorld.Mistake.ownerDoesNotLook, .ownerDoesNotLock, .readerAsksWithoutTurn]
  )
  func mistakesAtTheGate(_ mistake: GateWorld.Mistake) {
    #expect(explore(GateWorld(changes: 4, readers: 1, mistake: mistake)).fault != nil)
  }
}
