import TestSupport
import Testing

@testable import RASPServices

@Suite("AsyncMutex")
struct AsyncMutexTests {
  private struct Failure: Error {}

  private func waiterCount<Value>(of mutex: AsyncMutex<Value>) -> Int {
    mutex.queue.tickets.withLock { $0.waiters.count }
  }

  @Test("One task at a time has the value, across every await, and no change is lost")
  func exclusive() async throws {
    let mutex = AsyncMutex(0)
    let inside = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<200 {
            try? await mutex.withLock { value in
              #expect(inside.increment() == 1)
              let before = value
              await Task.yield()
              value = before + 1
              inside.decrement()
            }
          }
        }
      }
    }
    #expect(try await mutex.withLock { $0 } == 1600)
  }

  @Test("Tasks are let in in the order of arrival")
  func order() async throws {
    let mutex = AsyncMutex<[Int]>([])
    let tickets = (0..<6).map { _ in mutex.reserve() }
    await withTaskGroup(of: Void.self) { group in
      for (index, ticket) in tickets.enumerated().reversed() {
        group.addTask { await mutex.withLock(ticket) { $0.append(index) } }
      }
    }
    #expect(try await mutex.withLock { $0 } == [0, 1, 2, 3, 4, 5])
  }

  @Test("What a failed body changed stays changed, and the next task is let in")
  func failure() async throws {
    let mutex = AsyncMutex(0)
    await #expect(throws: Failure.self) {
      try await mutex.withLock { value in
        value = 7
        throw Failure()
      }
    }
    #expect(try await mutex.withLock { $0 } == 7)
  }

  @Test("A task that is cancelled while it waits is not let in, and those behind it are")
  func cancelled() async throws {
    let mutex = AsyncMutex<[String]>([])
    let first = mutex.reserve()
    let cancelled = Task { try await mutex.withLock { $0.append("cancelled") } }
    #expect(await eventually { waiterCount(of: mutex) == 1 })
    let second = Task { try await mutex.withLock { $0.append("second") } }
    #expect(await eventually { waiterCount(of: mutex) == 2 })
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    await mutex.withLock(first) { $0.append("first") }
    try await second.value
    #expect(try await mutex.withLock { $0 } == ["first", "second"])
  }

  @Test("A task that is cancelled before it asks is refused if it would have to wait, and let in if not")
  func cancelledBefore() async throws {
    let mutex = AsyncMutex(0)
    let first = mutex.reserve()
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask {
        await #expect(throws: CancellationError.self) { try await mutex.withLock { $0 = 1 } }
      }
    }
    await mutex.withLock(first) { _ in }
    await withTaskGroup(of: Void.self) { group in
      group.cancelAll()
      group.addTask {
        await #expect(throws: Never.self) { try await mutex.withLock { $0 = 2 } }
      }
    }
    #expect(try await mutex.withLock { $0 } == 2)
  }

  @Test("The value is changed in place: there is no second reference to what it refers to")
  func inPlace() async throws {
    final class Object: Sendable {}
    let mutex = AsyncMutex(Object())
    for _ in 0..<3 {
      #expect(try await mutex.withLock { isKnownUniquelyReferenced(&$0) })
    }
    #expect(await mutex.withLock(mutex.reserve()) { isKnownUniquelyReferenced(&$0) })
    #expect(try await mutex.withLock { isKnownUniquelyReferenced(&$0) })
  }

  @Test("Using a ticket twice traps")
  func twice() async {
    await #expect(processExitsWith: .failure) {
      let mutex = AsyncMutex(0)
      let ticket = mutex.reserve()
      await mutex.withLock(ticket) { _ in }
      await mutex.withLock(ticket) { _ in }
    }
  }
}
