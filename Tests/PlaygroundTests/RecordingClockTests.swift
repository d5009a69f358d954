import Testing

@testable import Playground

@Suite("The time in a recording")
struct RecordingClockTests {
  /// What the clock shows after readings of (time of day in seconds, address).
  private func elapsed(_ readings: [(Int, String)]) -> Duration {
    var clock = RecordingClock()
    for (seconds, address) in readings { _ = clock.read(.seconds(seconds), on: address) }
    return clock.elapsed
  }

  @Test("it begins at the first time of day and says when it has grown")
  func steps() {
    var clock = RecordingClock()
    #expect(clock.read(.seconds(100), on: "GPRMC") == nil)
    #expect(clock.read(.seconds(100), on: "GPRMC") == nil)
    #expect(clock.read(.seconds(103), on: "GPRMC") == .seconds(3))
    #expect(clock.elapsed == .seconds(3))
  }

  @Test("it goes on past midnight")
  func midnight() {
    #expect(elapsed([(86_399, "GPRMC"), (1, "GPRMC")]) == .seconds(2))
  }

  @Test("the first kind of sentence that tells the time is the watch, so others that differ do no harm")
  func constantDifference() {
    let readings = (0..<10).flatMap { [(1000 + $0, "GPRMC"), (970 + $0, "GPGGA")] }
    #expect(elapsed(readings) == .seconds(9))
  }

  @Test("a step backwards is a recording that begins again")
  func restart() {
    #expect(elapsed([(500, "GPRMC"), (510, "GPRMC"), (20, "GPRMC"), (25, "GPRMC")]) == .seconds(15))
  }

  @Test("a gap counts in full")
  func gap() {
    #expect(elapsed([(0, "GPRMC"), (3600, "GPRMC")]) == .seconds(3600))
  }
}
