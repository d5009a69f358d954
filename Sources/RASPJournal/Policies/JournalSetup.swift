/// How a journal writes. A test changes what a user cannot.
package struct JournalSetup: Sendable {
  var policy = SyncPolicy.eachBatch
  var retention = JournalRetention.everything
  var overload = JournalOverload.wait
  var plan = SegmentPlan()
  var clock = JournalClock.system
  /// How many events may wait to be written.
  var capacity = 1 << 16
  /// The time for which the thread waits after a batch, so that there is more to write at once.
  var linger = Duration.milliseconds(10)
}

extension JournalSetup {
  package init(syncing policy: SyncPolicy, keeping retention: JournalRetention) {
    self.policy = policy
    self.retention = retention
  }
}
