import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("CMD-18: What waits in a cluster without a bound is reported once", .endsInTime)
struct GrowthTests {
  /// The places of the lines that were reported.
  private final class Places: Sendable {
    private let log = Log<String>()

    var entries: [String] { log.entries }

    func note(_ diagnostic: ServiceDiagnostic) {
      if case .lineGrown(let place) = diagnostic { log.note(place) }
    }
  }

  private struct Count: Sendable {
    var value = 0
  }

  @Test("effects that wait for their turn, of a service and of a reducer", arguments: [false, true])
  func serial(inReducer: Bool) async throws {
    let (places, gate, begun) = (Places(), Latch(), Counter())
    @Sendable func wait() async {
      if begun.increment() == 1 { await gate.wait() }
    }
    let cluster = try await Bootstrap(diagnostics: places.note) {
      if inReducer {
        Reducer(state: 0) { (state: inout Int, _: Add) in { _, _ in await wait() } }.overlapping(.serial)
      } else {
        On(Add.self) { _, _ in await wait() }.overlapping(.serial)
      }
    }
    let sends = (0..<70_000).map { _ in Task { try await cluster.send(action: Add(value: 1)) } }
    #expect(await eventually { !places.entries.isEmpty })
    gate.open()
    for send in sends { try await send.value }
    #expect(places.entries.count == 1)
    #expect(places.entries.first?.hasSuffix(inReducer ? "› Reducer<Int>" : "› On(Add)") == true)
  }

  @Test("actions that the mutations of one action send")
  func outbox() async throws {
    let (places, handled) = (Places(), Counter())
    let cluster = try await Bootstrap(diagnostics: places.note) {
      Store(model: Count.self)
        .mutate(on: AccountAction.self) { count, _, send in
          for _ in 0..<70_000 { try await send(Add(value: 1)) }
          count.value += 1
        }
        .with(model: Count())
      EmptyService().observe(on: Add.self) { _ in handled.increment() }
    }
    try await cluster.send(action: AccountAction.login)
    #expect(handled.value == 70_000)
    #expect(places.entries.count == 1)
    #expect(places.entries.first?.contains("Add") == true)
  }

  @Test("actions that an emitter's observable sends")
  func emitter() async throws {
    let (places, gate, handled, actions) = (Places(), Latch(), Counter(), Subject<Add, Never>())
    let cluster = try await Bootstrap(diagnostics: places.note) {
      On(Add.self) { _, _ in if handled.increment() == 1 { await gate.wait() } }
        .emit(using: actions.observable)
    }
    for _ in 0..<70_000 { actions.send(Add(value: 1)) }
    #expect(places.entries.count == 1)
    #expect(places.entries.first?.contains("the emitter of") == true)
    gate.open()
    #expect(await eventually { handled.value == 70_000 })
    await cluster.shutdown()
  }
}
