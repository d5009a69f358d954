import Aggregate
import Foundation
import JournalTestSupport
import Streams
import Testing

@testable import RASPJournal

/// A small workload on a simulated disk, and what must hold after it has been interrupted.
struct StoreRun {
  /// One step of a workload.
  enum Step: Sendable {
    case append(Int)
    case write
    case flush
    case reopen
  }

  var policy = SyncPolicy.eachBatch
  var retention = JournalRetention.everything
  var plan = SegmentPlan()
  var steps: [Step]

  /// Small enough that a workload of some events has segments and snapshots.
  static var smallPlan: SegmentPlan {
    var plan = SegmentPlan()
    plan.snapshotInterval = 3
    plan.snapshotFactor = 0
    plan.segmentSize = 400
    plan.smallSegmentSize = 200
    return plan
  }

  init(
    _ steps: [Step],
    policy: SyncPolicy = .eachBatch,
    retention: JournalRetention = .everything,
    plan: SegmentPlan = smallPlan
  ) {
    self.steps = steps
    self.policy = policy
    self.retention = retention
    self.plan = plan
  }

  static func event(_ number: Int) -> TotalEvent {
    number % 3 == 0 ? .word("event \(number)") : .add(Int64(number))
  }

  static func state(after count: Int) -> Total {
    var state = Total()
    for number in stride(from: 1, through: count, by: 1) { state.apply(event(number)) }
    return state
  }

  func open(on disk: any FileSystem) throws(JournalError) -> JournalStore<Total> {
    try JournalStore(
      JournalFolder(path: "j", system: disk),
      startingWith: Total(),
      coding: .byHand,
      JournalSetup(policy: policy, retention: retention, plan: plan, clock: .numbered(disk))
    )
  }

  /// What the program knew when it ended.
  struct Knowledge: Equatable {
    /// Events that were given to the store.
    var appended = 0
    /// Events of which the store has said that they are on the medium.
    var flushed = 0
  }

  /// Runs the steps, from the state that is on the disk.
  ///
  /// - Parameter known: what was known before; is changed also if it throws.
  func run(on disk: any FileSystem, _ known: inout Knowledge) throws(JournalError) {
    var store = try open(on: disk)
    known.appended = store.newest
    known.flushed = max(known.flushed, store.newest)
    for step in steps {
      switch step {
      case .append(let count):
        for _ in 0..<count {
          // Before: the event may be on the disk also if the call throws.
          known.appended = store.newest + 1
          try store.append(Self.event(store.newest + 1), cause: .unknown, time: Int64(store.newest) * 1_000)
        }
      case .write:
        try store.write()
        known.flushed = max(known.flushed, store.syncs.durable)
      case .flush:
        try store.write()
        try store.sync()
        known.flushed = store.newest
      case .reopen:
        try store.close()
        known.flushed = store.newest
        store.abandon()
        store = try open(on: disk)
      }
    }
    try store.close()
    known.flushed = store.newest
  }

  /// Opens what a power failure has left, and checks it against what was known.
  ///
  /// - Returns: the number of events that are there.
  @discardableResult
  func check(_ contents: [String: [UInt8]], against known: Knowledge, _ comment: @autoclosure () -> Comment) -> Int? {
    let disk = SimulatedDisk(contents)
    do {
      var store = try open(on: disk)
      let found = store.newest
      guard found >= known.flushed, found <= known.appended, store.state == Self.state(after: found) else {
        Issue.record("\(found) events of \(known), \(store.state): \(comment().rawValue)")
        return nil
      }
      // It goes on, and what is there then is read again.
      for number in found + 1...found + 2 { try store.append(Self.event(number), cause: .unknown, time: 0) }
      try store.close()
      store.abandon()
      store = try open(on: disk)
      if store.newest != found + 2 || store.state != Self.state(after: found + 2) {
        Issue.record("It does not go on: \(store.newest), \(store.state): \(comment().rawValue)")
        return nil
      }
      return found
    } catch {
      Issue.record("\(error) \(known): \(comment().rawValue)")
      return nil
    }
  }
}
