import RASPPrimitives
import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("Emitters that do not hold actions", .endsInTime)
struct EmitterOverlapTests {
  @Test("LOAD-107: an emitter holds the next action while a handler waits, unless it says otherwise")
  func concurrent() async throws {
    let (handling, subject) = (Handling(), Subject<Switch, Never>())
    let cluster = try await Bootstrap {
      On(Switch.self) { action, _ in try await handling.handle(action) }
        .emit(using: subject.observable, overlapping: .concurrent)
    }
    for number in 0..<20 { subject.send(Switch(number: number)) }
    #expect(await eventually { handling.begun.count == 20 })
    #expect(handling.ends.count == 0)
    handling.endAll()
    await cluster.shutdown()
    #expect(handling.ends.count == 20, "an end waits for what is on its way")
  }

  @Test("LOAD-107: 1,024 actions are on their way at most, and then the source is not read")
  func bound() async throws {
    let (read, begun) = (Log<Int>(), Counter())
    let gates = (0..<1_030).map { _ in Latch() }
    let cluster = try await Bootstrap {
      On(Switch.self) { _, _ in
        await gates[begun.increment() - 1].wait()
      }
      .emit(using: Switches(limit: 1_030, read: read), overlapping: .concurrent)
    }
    #expect(await eventually { begun.value == 1_024 })
    #expect(read.count == 1_024)
    gates[0].open()
    #expect(await eventually { begun.value == 1_025 })
    #expect(read.count == 1_025)
    for gate in gates { gate.open() }
    #expect(await eventually { begun.value == 1_030 })
    await cluster.shutdown()
  }

  @Test("LOAD-108: random actions of random lamps do what searched lists do", arguments: OverlapPolicy.allCases)
  func random(policy: OverlapPolicy) async throws {
    for seed in 0..<UInt64(rounds(500)) {
      try await withVirtualTime { time in try await program(policy, seed, time) }
    }
  }

  private func program(_ policy: OverlapPolicy, _ seed: UInt64, _ time: VirtualScheduler) async throws {
    var numbers = SplitMix(seed: seed)
    let (handling, subject, problems) = (Handling(), Subject<Switch, Never>(), Log<String>())
    let cluster = try await Bootstrap(diagnostics: { problems.note("\($0)") }) {
      On(Switch.self) { action, _ in try await handling.handle(action) }
        .emit(using: subject.observable, overlapping: policy, by: \.lamp)
    }
    var reference = OverlapReference(policy: policy)
    var count = 0
    for _ in 0..<40 where count < 24 {
      if let ending = reference.running.randomElement(using: &numbers)?.number, Bool.random(using: &numbers) {
        handling.end(ending)
        reference.left(ending)
      } else {
        let action = Switch(number: count, lamp: [nil, 1, 2].randomElement(using: &numbers) ?? nil)
        count += 1
        subject.send(action)
        reference.arrived(action)
      }
      await time.run(for: .zero)
      #expect(Set(handling.begun.entries) == reference.begun, "seed \(seed)")
      #expect(Set(handling.ends.entries) == reference.ends, "seed \(seed)")
    }
    while let ending = reference.running.first?.number {
      handling.end(ending)
      reference.left(ending)
      await time.run(for: .zero)
      #expect(Set(handling.begun.entries) == reference.begun, "seed \(seed)")
    }
    #expect(Set(handling.ends.entries) == reference.ends, "seed \(seed)")
    await cluster.shutdown()
    #expect(problems.entries == [], "what is replaced or dropped is no failure")
  }

  @Test("LOAD-109: consumed at bootstrap, Bootstrap waits for all actions on their way, and fails if one fails")
  func consumed() async throws {
    let handled = Counter()
    let cluster = try await Bootstrap {
      On(Switch.self) { _, _ in
        for _ in 0..<10 { await Task.yield() }
        handled.increment()
      }
      .emit(using: Observable((0..<100).map { Switch(number: $0) }), consumeAtBootstrap: true, overlapping: .concurrent)
    }
    #expect(handled.value == 100)
    await cluster.shutdown()
    await #expect(throws: Broken.first) {
      _ = try await Bootstrap {
        On(Switch.self) { action, _ in if action.number == 3 { throw Broken.first } }
          .emit(
            using: Observable((0..<100).map { Switch(number: $0) }),
            consumeAtBootstrap: true,
            overlapping: .serial,
            by: \.number
          )
      }
    }
  }

  @Test("LOAD-109: an emitter whose cluster is released cancels all that is on its way")
  func abandoned() async throws {
    let (handling, subject) = (Handling(), Subject<Switch, Never>())
    var cluster: Cluster? = try await Bootstrap {
      On(Switch.self) { action, _ in try await handling.handle(action) }
        .emit(using: subject.observable, overlapping: .serial, by: \.lamp)
    }
    for number in 0..<4 { subject.send(Switch(number: number, lamp: number % 2)) }
    #expect(await eventually { handling.begun.count == 2 })
    withExtendedLifetime(cluster) {}
    cluster = nil
    #expect(await eventually { handling.ends.count == 2 })
    #expect(Set(handling.ends.entries) == ["0 cancelled", "1 cancelled"])
    #expect(handling.begun.count == 2)
  }
}

/// A sequence of actions that notes what is read of it.
private struct Switches: AsyncSequence, AsyncIteratorProtocol, Sendable {
  typealias Element = Switch
  let limit: Int
  let read: Log<Int>
  private var number = 0

  init(limit: Int, read: Log<Int>) {
    self.limit = limit
    self.read = read
  }

  func makeAsyncIterator() -> Switches { self }

  mutating func next() async -> Switch? {
    guard number < limit else { return nil }
    number += 1
    read.note(number)
    return Switch(number: number)
  }
}
