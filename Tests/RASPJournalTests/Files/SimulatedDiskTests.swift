import Foundation
import JournalTestSupport
import Testing

@testable import RASPJournal

/// What the tests of the journal rest upon.
@Suite("The simulated disk")
struct SimulatedDiskTests {
  /// All that can be there after a power failure.
  private func outcomes(of disk: SimulatedDisk) -> Set<[String: [UInt8]]> {
    var outcomes: Set<[String: [UInt8]]> = []
    var choices = AllChoices()
    while !choices.hasEnded {
      outcomes.insert(disk.contents(afterPowerFailure: { choices.choose(below: $0) }))
      choices.advance()
    }
    return outcomes
  }

  @Test("a write that was not synced is lost, whole, cut or zeros")
  func writes() throws {
    let disk = SimulatedDisk(["d/a": [1]])
    let file = try disk.append(to: "d/a")
    try disk.writeAll([2, 3], to: file)
    #expect(outcomes(of: disk) == Set([[1], [1, 2], [1, 2, 3], [1, 0, 0]].map { ["d/a": $0] }))
    try disk.sync(file)
    #expect(outcomes(of: disk) == [["d/a": [1, 2, 3]]])
  }

  @Test("a later write may be there without an earlier one")
  func order() throws {
    let disk = SimulatedDisk(["d/a": []])
    let file = try disk.append(to: "d/a")
    try disk.writeAll([1], to: file)
    try disk.writeAll([2], to: file)
    #expect(outcomes(of: disk) == Set([[], [1], [0], [0, 2], [1, 2], [0, 0], [1, 0]].map { ["d/a": $0] }))
  }

  @Test("names are there after the folder was synced, and a rename is one change")
  func names() throws {
    let disk = SimulatedDisk(["d/a": [1]])
    let file = try disk.create("d/b")
    try disk.writeAll([2], to: file)
    try disk.sync(file)
    #expect(outcomes(of: disk) == [["d/a": [1]], ["d/a": [1], "d/b": [2]]])
    try disk.syncFolder("d")
    #expect(outcomes(of: disk) == [["d/a": [1], "d/b": [2]]])
    try disk.rename("d/b", to: "d/a")
    #expect(outcomes(of: disk) == [["d/a": [1], "d/b": [2]], ["d/a": [2]]])
  }

  @Test("what a failed sync has not written, no later sync writes")
  func failedSync() throws {
    let disk = SimulatedDisk(["d/a": []]) { call, number in call == "sync" && number == 3 ? .error(EIO) : nil }
    let file = try disk.append(to: "d/a")
    try disk.writeAll([1], to: file)
    #expect(throws: SystemError("sync", EIO)) { try disk.sync(file) }
    try disk.sync(file)
    #expect(outcomes(of: disk) == Set([[], [1], [0]].map { ["d/a": $0] }))
  }
}
