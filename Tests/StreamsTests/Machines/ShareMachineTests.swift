import TestSupport
import Testing

@testable import Streams

@Suite("Machines: sharing")
struct ShareMachineTests {
  private final class Connection: Sendable {}
  private typealias Machine = ShareMachine<Connection>

  @Test("The first one connects, the last one to leave disconnects, the next one connects anew")
  func connects() {
    var machine = Machine()
    let first = machine.joined { Connection() }
    #expect(first.connects)
    let second = machine.joined { Connection() }
    #expect(!second.connects)
    #expect(second.joined === first.joined)
    #expect(machine.left(first.joined) == nil)
    #expect(machine.left(first.joined) === first.joined)
    let third = machine.joined { Connection() }
    #expect(third.connects)
    #expect(third.joined !== first.joined)
  }

  private func expectJoined(_ connection: Connection, _ machine: inout Machine) {
    let (joined, connects) = machine.joined { Connection() }
    #expect(joined === connection)
    #expect(!connects)
  }

  @Test("A connection that has ended stays when subscribers leave, and is not started again")
  func ended() {
    var machine = Machine()
    let connection = machine.joined { Connection() }.joined
    machine.ended(connection, failed: false)
    #expect(machine.left(connection) == nil)
    expectJoined(connection, &machine)
    #expect(machine.left(connection) == nil)
    #expect(machine.left(connection) == nil)
    machine.ended(connection, failed: false)
    expectJoined(connection, &machine)
  }

  @Test("A connection that has failed is left by all at once: the next one connects anew")
  func failed() {
    var machine = Machine()
    let old = machine.joined { Connection() }.joined
    expectJoined(old, &machine)
    machine.ended(old, failed: true)
    let new = machine.joined { Connection() }
    #expect(new.connects)
    #expect(machine.left(old) == nil, "those that heard the failure leave late, and disconnect nothing")
    machine.ended(old, failed: true)
    expectJoined(new.joined, &machine)
    #expect(machine.left(new.joined) == nil)
    #expect(machine.left(new.joined) === new.joined)
  }

  @Test("What a connection does that has been left counts no more")
  func late() {
    var machine = Machine()
    let old = machine.joined { Connection() }.joined
    _ = machine.left(old)
    machine.ended(old, failed: false)
    let new = machine.joined { Connection() }
    #expect(new.connects, "the end of the old one ended nothing")
    #expect(machine.left(old) == nil)
    machine.ended(old, failed: false)
    #expect(machine.left(new.joined) === new.joined)
  }

  @Test("Random events: one connection at a time, for as long as there is a subscriber")
  func random() {
    for seed in 0..<UInt64(rounds(50_000)) {
      var numbers = SplitMix(seed: seed)
      var machine = Machine()
      var subscribers: [Connection] = []
      var present: Connection?
      var hasEnded = false
      var old: [Connection] = []
      for _ in 0..<Int.random(in: 1...40, using: &numbers) {
        switch Int.random(in: 0..<10, using: &numbers) {
        case 0..<5:
          let (joined, connects) = machine.joined { Connection() }
          #expect(connects == (present == nil), "seed \(seed)")
          if let present { #expect(joined === present, "seed \(seed)") }
          present = joined
          subscribers.append(joined)
        case 5..<8:
          guard let index = subscribers.indices.randomElement(using: &numbers) else { break }
          let leaving = subscribers.remove(at: index)
          let isLast = !hasEnded && leaving === present && !subscribers.contains { $0 === leaving }
          #expect(machine.left(leaving) === (isLast ? leaving : nil), "seed \(seed)")
          if isLast {
            present = nil
            old.append(leaving)
          }
        case 8:
          if let stale = old.last { machine.ended(stale, failed: Bool.random(using: &numbers)) }
        default:
          guard let current = present, Bool.random(using: &numbers) else { break }
          let failed = Bool.random(using: &numbers)
          machine.ended(current, failed: failed)
          guard !hasEnded else { break }
          hasEnded = !failed
          if failed {
            present = nil
            old.append(current)
          }
        }
      }
    }
  }
}
