import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

/// An action for a lamp. The number tells actions apart.
struct Switch: Action {
  var number: Int
  var lamp: Int?
}

/// Handling that begins and ends when the test says so, and what came of it.
final class Handling: Sendable {
  private let gates = (0..<24).map { _ in Latch() }
  let begun = Log<Int>()
  let ends = Log<String>()

  func end(_ number: Int) { gates[number].open() }

  func endAll() { for gate in gates { gate.open() } }

  func handle(_ action: Switch) async throws {
    begun.note(action.number)
    let gate = gates[action.number]
    await withTaskCancellationHandler {
      await gate.wait()
    } onCancel: {
      gate.open()
    }
    ends.note(Task.isCancelled ? "\(action.number) cancelled" : "\(action.number)")
    try Task.checkCancellation()
  }
}

/// What runs and waits under keys, in lists that are searched.
struct OverlapReference {
  let policy: OverlapPolicy
  private(set) var running: [Switch] = []
  private(set) var waiting: [Switch] = []
  private(set) var begun: Set<Int> = []
  private(set) var ends: Set<String> = []

  mutating func arrived(_ action: Switch) {
    let before = running.firstIndex { $0.lamp == action.lamp }
    switch (policy, before) {
    case (.first, _?): return
    case (.serial, _?): return waiting.append(action)
    case (.newest, let replaced?): ends.insert("\(running.remove(at: replaced).number) cancelled")
    default: break
    }
    begin(action)
  }

  mutating func left(_ number: Int) {
    guard let index = running.firstIndex(where: { $0.number == number }) else { return }
    let lamp = running.remove(at: index).lamp
    ends.insert("\(number)")
    if policy == .serial, let next = waiting.firstIndex(where: { $0.lamp == lamp }) {
      begin(waiting.remove(at: next))
    }
  }

  private mutating func begin(_ action: Switch) {
    running.append(action)
    begun.insert(action.number)
  }
}

@Suite("Effects that overlap by keys", .endsInTime)
struct OverlapKeyTests {
  @MainActor
  private func service(_ policy: OverlapPolicy, _ handling: Handling, inReducer: Bool) -> Group {
    Group {
      if inReducer {
        Reducer(state: 0, context: handling) { (state: inout Int, action: Switch) in
          state += 1
          return { _, handling in try await handling.handle(action) }
        }
        .overlapping(policy, by: \.lamp)
      } else {
        On(Switch.self) { action, _ in try await handling.handle(action) }.overlapping(policy, by: \.lamp)
      }
    }
  }

  @Test(
    "LOAD-105: random actions for random lamps do what searched lists do",
    arguments: OverlapPolicy.allCases,
    [false, true]
  )
  func random(policy: OverlapPolicy, inReducer: Bool) async throws {
    for seed in 0..<UInt64(rounds(500)) {
      try await withVirtualTime { time in
        try await program(seed, time, policy) { service(policy, $0, inReducer: inReducer) }
      }
    }
  }

  private func program(
    _ seed: UInt64,
    _ time: VirtualScheduler,
    _ policy: OverlapPolicy,
    _ service: @escaping @MainActor (Handling) -> Group
  ) async throws {
    var numbers = SplitMix(seed: seed)
    let handling = Handling()
    let cluster = try await Bootstrap { service(handling) }
    var reference = OverlapReference(policy: policy)
    var sends: [Task<Void, any Error>] = []
    for _ in 0..<40 where sends.count < 24 {
      if let ending = reference.running.randomElement(using: &numbers)?.number, Bool.random(using: &numbers) {
        handling.end(ending)
        reference.left(ending)
      } else {
        let action = Switch(number: sends.count, lamp: [nil, 1, 2].randomElement(using: &numbers) ?? nil)
        sends.append(Task(executorPreference: time.taskExecutor) { try await cluster.send(action: action) })
        reference.arrived(action)
      }
      await time.run(for: .zero)
      #expect(Set(handling.begun.entries) == reference.begun, "seed \(seed)")
      #expect(Set(handling.ends.entries) == reference.ends, "seed \(seed)")
    }
    // What waits is started now, in the order of the arrivals of each lamp.
    while let ending = reference.running.first?.number {
      handling.end(ending)
      await time.run(for: .zero)
      reference.left(ending)
      #expect(Set(handling.begun.entries) == reference.begun, "seed \(seed)")
    }
    for send in sends { _ = await send.result }
    #expect(Set(handling.ends.entries) == reference.ends, "seed \(seed)")
  }

  @Test("LOAD-106: an effect that sends for its own lamp does not wait for itself, and one for another lamp is its own")
  func sendingToItself() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      On(Switch.self) { action, send in
        log.note("begin \(action.number)")
        if action.number == 0 {
          try await send(Switch(number: 1, lamp: action.lamp))
          try await send(Switch(number: 2, lamp: 7))
        }
        log.note("end \(action.number)")
      }
      .overlapping(.serial, by: { $0.lamp })
    }
    try await cluster.send(action: Switch(number: 0, lamp: 1))
    #expect(log.entries == ["begin 0", "begin 1", "end 1", "begin 2", "end 2", "end 0"])
  }
}
