import Foundation
import JournalTestSupport
import Streams
import TestSupport
import Testing

@testable import RASPJournal

@Suite("A failure of the power")
struct PowerFailureTests {
  /// The disk of a workload whose calls fail from one on.
  private func disk(_ run: StoreRun, stoppingAt call: Int) -> (disk: SimulatedDisk, known: StoreRun.Knowledge) {
    let disk = SimulatedDisk { _, number in number >= call ? .error(EIO) : nil }
    var known = StoreRun.Knowledge()
    try? run.run(on: disk, &known)
    return (disk, known)
  }

  private func callCount(_ run: StoreRun) -> Int {
    disk(run, stoppingAt: .max).disk.calls.count
  }

  @Test(
    "at each call, with each outcome of what was pending: a prefix that has all that was flushed",
    arguments: [
      StoreRun([.append(1), .write]),
      StoreRun([.append(2), .write, .append(1), .write]),
      StoreRun([.append(1), .write, .append(2), .flush], policy: .bySystem),
      StoreRun([.append(2), .write, .reopen, .append(1), .write]),
      StoreRun([.append(3), .write, .append(3), .write, .append(1), .write], retention: .sinceSnapshots),
    ]
  )
  func allOutcomes(run: StoreRun) {
    for call in 1...callCount(run) + 1 {
      let (disk, known) = disk(run, stoppingAt: call)
      var choices = AllChoices()
      while !choices.hasEnded {
        run.check(
          disk.contents(afterPowerFailure: { choices.choose(below: $0) }),
          against: known,
          "call \(call), choices \(choices)"
        )
        choices.advance()
      }
    }
  }

  @Test("random workloads, random calls and random outcomes, several failures one after the other")
  func randomOutcomes() throws {
    for seed in 0..<rounds(20_000) {
      var random = SplitMix(seed: UInt64(seed))
      var contents: [String: [UInt8]] = [:]
      var known = StoreRun.Knowledge()
      let run = StoreRun.random(&random)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let stop = Int.random(in: 1...80, using: &random)
        let disk = SimulatedDisk(contents) { _, number in number >= stop ? .error(EIO) : nil }
        try? run.run(on: disk, &known)
        contents = disk.contents(afterPowerFailure: { Int.random(in: 0..<$0, using: &random) })
        guard let found = run.check(contents, against: known, "seed \(seed), \(run)") else { return }
        known = StoreRun.Knowledge(appended: found, flushed: known.flushed)
      }
    }
  }

  @Test(
    "the end of the process loses nothing that was written, whatever the policy",
    arguments: [SyncPolicy.eachBatch, .bySystem]
  )
  func processEnds(policy: SyncPolicy) {
    let run = StoreRun(
      [.append(2), .write, .append(3), .write, .append(1), .flush, .append(2), .write],
      policy: policy
    )
    for call in 1...callCount(run) {
      let (disk, known) = disk(run, stoppingAt: call)
      run.check(disk.contents, against: known, "call \(call)")
    }
  }

  @Test("one failing call of each kind: the journal ends, and the next one has a prefix", arguments: [ENOSPC, EIO])
  func failingCalls(code: Int32) {
    let run = StoreRun(
      [.append(2), .write, .append(3), .write, .reopen, .append(4), .flush, .append(1), .write],
      retention: .newest(2)
    )
    for call in 1...callCount(run) {
      let disk = SimulatedDisk { _, number in number == call ? .error(code) : nil }
      var known = StoreRun.Knowledge()
      do {
        try run.run(on: disk, &known)
        // All that was written had been synced before.
        #expect(disk.calls[call - 1] == "close")
      } catch {
        guard case .system(_, _, code) = error else {
          Issue.record("another error: \(error)")
          continue
        }
      }
      #expect(disk.openCount == 0, "call \(call), \(disk.calls[call - 1])")
      run.check(disk.contents, against: known, "call \(call), \(disk.calls[call - 1])")
      var choices = AllChoices()
      for _ in 0..<50 where !choices.hasEnded {
        run.check(
          disk.contents(afterPowerFailure: { choices.choose(below: $0) }),
          against: known,
          "call \(call), \(disk.calls[call - 1])"
        )
        choices.advance()
      }
    }
  }

  @Test("calls that are interrupted, and that write or read less than they were asked for, lose nothing")
  func shortCalls() throws {
    let run = StoreRun([.append(5), .write, .reopen, .append(4), .flush])
    let disk = SimulatedDisk { call, number in
      guard call == "write" || call == "read" else { return nil }
      return number % 3 == 0 ? .error(EINTR) : .short(1 + number % 7)
    }
    var known = StoreRun.Knowledge()
    try run.run(on: disk, &known)
    #expect(known == StoreRun.Knowledge(appended: 9, flushed: 9))
    run.check(disk.contents, against: known, "")
  }
}

extension StoreRun {
  static func random(_ random: inout SplitMix) -> StoreRun {
    var plan = SegmentPlan()
    plan.snapshotInterval = .random(in: 1...6, using: &random)
    plan.snapshotFactor = .random(in: 0...1, using: &random)
    plan.segmentSize = .random(in: 150...600, using: &random)
    plan.smallSegmentSize = .random(in: 0...300, using: &random)
    plan.batchSize = .random(in: 40...200, using: &random)
    let steps = (0..<Int.random(in: 1...8, using: &random)).map { _ -> Step in
      switch Int.random(in: 0..<8, using: &random) {
      case 0: .flush
      case 1: .reopen
      case 2...4: .write
      default: .append(.random(in: 1...4, using: &random))
      }
    }
    let policy = [SyncPolicy.eachBatch, .every(.seconds(1)), .bySystem].randomElement(using: &random) ?? .eachBatch
    let retention =
      [JournalRetention.everything, .sinceSnapshots, .newest(3)].randomElement(using: &random) ?? .everything
    return StoreRun(steps, policy: policy, retention: retention, plan: plan)
  }
}
