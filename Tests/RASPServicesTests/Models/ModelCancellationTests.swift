import RASPServices
import Streams
import TestSupport
import Testing

@Suite("Waiting for a model", .endsInTime)
struct ModelCancellationTests {
  @Test("a task that is cancelled while it waits for a model gives up its place")
  func cancelledWhileWaiting() async throws {
    let (entered, release) = (Latch(), Latch())
    let cluster = try await Bootstrap {
      Group {
        NumbersService()
        Store(model: Numbers.self).mutate(on: AccountAction.self) { _, _, _ in
          entered.open()
          await release.wait()
        }
      }
      .with(model: Numbers())
    }
    let first = Task { try await cluster.send(action: AccountAction.login) }
    await entered.wait()
    let second = Task { try await cluster.send(action: Add(value: 2)) }
    for _ in 0..<20 { await Task.yield() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    let third = Task { try await cluster.send(action: Add(value: 3)) }
    release.open()
    try await first.value
    try await third.value
    #expect(try await cluster.numbers() == [3])
  }

  @Test("places that are given up while turns change leave no task waiting")
  func cancellationRaces() async throws {
    let cluster = try await Bootstrap { NumbersService().with(model: Numbers()) }
    let count = rounds(10_000)
    for round in 0..<count {
      let tasks = (0..<4).map { index in Task { try await cluster.send(action: Add(value: round * 4 + index)) } }
      tasks[1].cancel()
      tasks[2].cancel()
      for index in [0, 3] { try await tasks[index].value }
      for index in [1, 2] { _ = await tasks[index].result }
    }
    let numbers = try await cluster.numbers()
    #expect(Set(numbers).count == numbers.count)
    #expect(numbers.count >= 2 * count)
  }

  @Test("a task that was cancelled before it came does not wait behind the others")
  func cancelledBeforeWaiting() async throws {
    let (entered, release, refused) = (Latch(), Latch(), Latch())
    let cluster = try await Bootstrap {
      Group {
        Store(model: Numbers.self).mutate(on: AccountAction.self) { _, _, _ in
          entered.open()
          await release.wait()
        }
        NumbersService().pre(action: Add.self) { _ in withUnsafeCurrentTask { $0?.cancel() } }
      }
      .with(model: Numbers())
    }
    let first = Task { try await cluster.send(action: AccountAction.login) }
    await entered.wait()
    let second = Task {
      defer { refused.open() }
      try await cluster.send(action: Add(value: 2))
    }
    await refused.wait()
    await #expect(throws: CancellationError.self) { try await second.value }
    release.open()
    try await first.value
  }
}
