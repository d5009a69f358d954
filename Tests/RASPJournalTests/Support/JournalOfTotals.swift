import Aggregate
import Foundation
import Streams

@testable import RASPJournal

extension Journal<Total> {
  /// Opens a journal on a simulated disk.
  convenience init(on disk: any FileSystem, _ change: (inout JournalSetup) -> Void = { _ in }) throws(JournalError) {
    var setup = JournalSetup()
    setup.idleWait = .milliseconds(1)
    setup.plan.snapshotInterval = 10
    setup.plan.snapshotFactor = 0
    change(&setup)
    try self.init(at: "j", startingWith: Total(), coding: .byHand, setup, on: disk)
  }
}

extension Aggregator<Total> {
  /// Sends the events with these numbers.
  func send(_ numbers: ClosedRange<Int>) {
    for number in numbers { send(StoreRun.event(number)) }
  }
}
