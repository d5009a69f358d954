/// Something that is measured: a pipeline that is set up, then fed a number of events.
struct Shape: Sendable {
  /// How many events one measurement sends: few enough to be over within a few milliseconds, which is less than what a
  /// busy machine gives a thread at a time.
  let events: Int

  /// Sets up a run of so many events.
  let prepare: @Sendable (_ events: Int) async throws -> Run

  init(events: Int, prepare: @escaping @Sendable (_ events: Int) async throws -> Run) {
    self.events = events
    self.prepare = prepare
  }

  /// How many nanoseconds an event took, the setting up left out.
  ///
  /// - Throws: ``WrongCount`` if the run did not do its work, and what goes wrong in the shape.
  func measure() async throws -> Double {
    let run = try await prepare(events)
    let duration = try await run.work()
    try await run.check()
    return duration / .nanoseconds(1) / Double(events)
  }
}
