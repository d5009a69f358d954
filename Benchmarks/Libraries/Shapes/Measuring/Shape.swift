/// Something that is measured: a pipeline that is set up, then fed a number of events.
public struct Shape: Sendable {
  /// What it is called on the command line and in reports.
  public let name: String

  /// How many events one measurement sends: few enough to be over within a few milliseconds, which is less than what a
  /// busy machine gives a thread at a time.
  public let events: Int

  /// Sets up a run of so many events.
  public let prepare: @Sendable (_ events: Int) async throws -> Run

  init(_ name: String, events: Int, prepare: @escaping @Sendable (_ events: Int) async throws -> Run) {
    self.name = name
    self.events = events
    self.prepare = prepare
  }

  /// How long a run of `events` events took, the setting up left out.
  ///
  /// - Throws: ``WrongCount`` if the run did not do its work, and what goes wrong in the shape.
  public func measure(events: Int) async throws -> Duration {
    let run = try await prepare(events)
    let duration = try await ContinuousClock().measure { try await run.work() }
    try await run.check()
    return duration
  }
}
