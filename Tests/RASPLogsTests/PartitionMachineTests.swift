import TestSupport
import Testing

@testable import RASPLogs

@Suite("The life of a partition at one owner")
struct PartitionMachineTests {
  /// What may happen in a phase, and the phase that it leads to: a plain table beside the machine.
  private static let table: [String: [(event: PartitionMachine.Event, told: String?, next: String)]] = {
    let ends: [(event: PartitionMachine.Event, told: String?, next: String)] = [
      (.ended(nil), "released", "released"),
      (.ended(.deposed(log: "l", partition: 3)), "deposed", "paused"),
      (.ended(.unavailable(log: "l", reason: "a test")), nil, "paused"),
      (.ended(.unacknowledged(log: "l", partition: 3)), nil, "paused"),
      (.ended(.missing(log: "l", partition: 3, offset: 1)), "failed", "failed"),
    ]
    return [
      "assigned": ends + [(.tookOver, "restoring", "restoring")],
      "restoring": ends + [(.caughtUp, "live", "live")],
      "live": ends,
      "paused": [(.pauseIsOver, nil, "assigned"), (.givenBack, "released", "released")],
      "released": [],
      "failed": [],
    ]
  }()

  @Test("LOG-11: in random lives the machine goes where the table says, and tells what has become of the partition")
  func lives() throws {
    var reached: Set<String> = []
    for seed in 0..<rounds(10_000) {
      var random = SplitMix(seed: UInt64(seed))
      var machine = PartitionMachine(of: 3)
      var phase = "assigned"
      while let step = Self.table[phase]?.randomElement(using: &random) {
        let action = machine.take(step.event)
        #expect(Self.name(action.tell) == step.told, "seed \(seed): \(step.event) in \(phase)")
        // It is settled whether the partition can be owned when its rows are there, or are not going to be.
        #expect(action.settles == ["live", "deposed", "failed", "released"].contains(step.told ?? ""))
        phase = step.next
        reached.insert(phase)
        #expect("\(machine.phase)".hasPrefix(phase), "seed \(seed): \(step.event)")
        #expect((machine.failure != nil) == (phase == "failed"))
      }
    }
    #expect(reached == Set(Self.table.keys))
  }

  private static func name(_ change: LogOwnership?) -> String? {
    switch change {
    case .restoring(3): "restoring"
    case .live(3): "live"
    case .deposed(3): "deposed"
    case .failed(3, _): "failed"
    case .released(3): "released"
    case nil: nil
    case let other?: "\(other)"
    }
  }
}
