import Aggregate
import TestSupport
import Testing

@testable import Playground

@Suite("The navigation state")
struct NavigationStateTests {
  @Test("sentences of many kinds make one state")
  func fold() throws {
    let state = try state(
      afterSentences: "HCHDG,101.5,,,3.0,E",
      "GPRMC,101500,A,5130.0000,N,00415.0000,W,10.0,87.5,010124,2.0,W,A",
      "SDDPT,5.3,0.4,",
      "WIMWV,57.5,R,10.0,M,A"
    )
    #expect(state.heading == Heading(degrees: 104.5, reference: .true))
    #expect(state.location == Location(latitude: 51.5, longitude: -4.25))
    #expect(state.speed?.isClose(to: 18520.0 / 3600) == true)
    #expect(state.course == 87.5)
    #expect(state.depth == 5.3)
    #expect(state.wind == Wind(angle: 57.5, speed: 10, reference: .relative))
  }

  @Test("nothing is known before the first sentence")
  func initial() {
    let state = NavigationState()
    #expect(state.heading == nil && state.location == nil && state.speed == nil)
    #expect(state.course == nil && state.depth == nil && state.wind == nil)
  }

  private let rmc = "GPRMC,101500,A,5130.0000,N,00415.0000,W,10.0,87.5,010124,,,A"
  private let gga = "GPGGA,101500,5130.0000,N,00415.0000,W,1,08,1.0,3,M,46,M,,"

  @Test("an empty field leaves the value as it was")
  func emptyFields() throws {
    let state = try state(
      afterSentences: rmc,
      "GPRMC,101501,A,5131.0000,N,00415.0000,W,,,010124,,,A",
      "GPGGA,101502,,,,,,,,,M,,M,,"
    )
    #expect(state.location?.latitude.isClose(to: 51 + 31.0 / 60) == true)
    #expect(state.course == 87.5)
  }

  @Test(
    "what a talker has told is forgotten when it has no fix any more, or simulates one",
    arguments: [
      "GPRMC,101502,V,,,,,,,010124,,,N", "GPRMC,101500,A,5130.0000,N,00415.0000,W,10.0,87.5,010124,,,S",
      "GPGGA,101502,,,,,0,,,,M,,M,,", "GPGGA,101500,5130.0000,N,00415.0000,W,8,08,1.0,3,M,46,M,,",
      "GPGLL,,,,,,V,N", "GPVTG,,T,,M,,N,,K,N",
    ]
  )
  func lostFix(body: String) throws {
    #expect(try state(afterSentences: rmc, gga).quality == FixQuality(kind: .autonomous, satellites: 8))
    let lost = try state(afterSentences: rmc, gga, body)
    #expect(lost.location == nil && lost.quality == nil && lost.speed == nil && lost.course == nil)
    #expect(lost.reception.empty == 1)
    #expect(try state(afterSentences: rmc, gga, body, rmc).course == 87.5)
  }

  @Test("what another talker has told stays")
  func otherTalker() throws {
    let state = try state(afterSentences: rmc, gga, "GNGGA,101502,,,,,0,,,,M,,M,,")
    #expect(state.location != nil && state.quality != nil && state.course == 87.5)
  }

  // MARK: Heading

  @Test("a magnetic heading becomes a true one as soon as the variation is known")
  func variation() throws {
    #expect(try state(afterSentences: "HCHDM,10,M").heading == Heading(degrees: 10, reference: .magnetic))
    #expect(
      try state(
        afterSentences: "HCHDM,10,M",
        "GPRMC,101500,A,5130.0000,N,00415.0000,W,10.0,87.5,010124,20.0,W,A",
        "HCHDM,11,M"
      ).heading == Heading(degrees: 351, reference: .true)
    )
  }

  @Test("a lesser instrument is not heard while a better one speaks, in whatever order they come")
  func precedence() throws {
    let bodies = ["GPHDT,1.0,T", "HCHDG,2.0,,,3.0,E", "SDVHW,3.0,T,,M,,N,,K", "HCHDM,4.0,M"]
    #expect(try state(after: bodies.map { try event($0) }).heading?.degrees == 1)
    #expect(try state(after: bodies.reversed().map { try event($0) }).heading?.degrees == 1)
    #expect(try state(after: bodies.dropFirst().map { try event($0) }).heading?.degrees == 5)
    #expect(try state(after: bodies.dropFirst(2).map { try event($0) }).heading?.degrees == 3)
    #expect(try state(after: bodies.dropFirst(3).map { try event($0) }).heading?.degrees == 4)
  }

  @Test("a true heading goes before a magnetic one of a better instrument")
  func trueBeforeMagnetic() throws {
    let heading = try state(afterSentences: "SDVHW,3.0,T,,M,,N,,K", "HCHDG,2.0,,,,").heading
    #expect(heading == Heading(degrees: 3, reference: .true))
  }

  @Test("the lesser instrument is heard when the better one has gone stale")
  func fallback() throws {
    let (gyro, compass) = (try event("GPHDT,1.0,T"), try event("HCHDM,4.0,M"))
    #expect(state(after: [gyro, .time(.seconds(10)), compass]).heading?.degrees == 1)
    #expect(state(after: [gyro, .time(.seconds(11)), compass]).heading?.degrees == 4)
  }

  // MARK: Depth and wind

  @Test("DPT goes before DBT, and the relative wind before the true one")
  func otherPrecedence() throws {
    #expect(try state(afterSentences: "SDDPT,5.0,,", "SDDBT,,f,6.0,M,,F").depth == 5)
    #expect(try state(afterSentences: "SDDBT,,f,6.0,M,,F", "SDDPT,5.0,,").depth == 5)
    #expect(try state(afterSentences: "WIMWV,1,R,1,M,A", "WIMWV,2,T,2,M,A").wind?.reference == .relative)
    #expect(try state(afterSentences: "WIMWV,2,T,2,M,A").wind?.reference == .true)
  }

  // MARK: Time

  @Test("a value that is not repeated goes stale, one that is repeated does not")
  func staleness() throws {
    let (depth, fix) = (try event("SDDPT,5.0,,"), try event("GPVTG,87.5,T,,M,10.0,N,,K,A"))
    let events = [depth, fix, .time(.seconds(6)), fix, .time(.seconds(12))]
    #expect(state(after: events).depth == nil)
    #expect(state(after: events).course == 87.5)
    #expect(state(after: events + [.time(.seconds(17))]).course == nil)
  }

  @Test("time does not run backwards, and huge times do no harm")
  func oddTimes() throws {
    let depth = try event("SDDPT,5.0,,")
    #expect(state(after: [.time(.seconds(60)), depth, .time(.zero), .time(.seconds(69))]).depth == 5)
    #expect(state(after: [depth, .time(.seconds(Int64.max)), .time(.seconds(Int64.min))]).depth == nil)
  }

  @Test("a value that is heard again is a reading, also without a change; a lesser instrument's is none")
  func readings() throws {
    let (navigation, log) = (Aggregator(initial: NavigationState()), Log<String>())
    let token = navigation.readings.subscribe { log.note($0) }
    let initial = log.entries.count
    for event in [
      try event("GPHDT,1.0,T"), try event("SDDPT,5.0,,"), .time(.seconds(1)), try event("SDDPT,5.0,,"),
      try event("HCHDM,4.0,M"), .time(.seconds(2)), try event("GPHDT,1.0,T"),
    ] { navigation.send(event) }
    #expect(log.entries.dropFirst(initial) == ["depth", "heading"])
    withExtendedLifetime(token) {}
  }

  // MARK: Reception

  @Test("a damaged sentence is counted and leaves the state alone")
  func damaged() throws {
    let before = try state(afterSentences: "SDDPT,5.0,,")
    var after = before
    after.apply(.rejected(.checksum))
    after.apply(.rejected(.shape))
    #expect(after.depth == before.depth)
    #expect(after.reception.rejected == 2)
    #expect(after.reception.sentences == 3)
  }

  @Test("every kind of line has a count of its own")
  func reception() throws {
    let reception = state(after: [.unknown, .unknown, .empty, .noise(bytes: 3), .comment, .time(.zero), .end]).reception
    #expect(reception.sentences == 3)
    #expect(reception.unknown == 2)
    #expect(reception.empty == 1)
    #expect(reception.noise == 1)
    #expect(reception.noiseBytes == 3)
    #expect(reception.rejected == 0)
  }

  @Test("the end of the input is part of the state")
  func end() {
    #expect(!NavigationState().hasEnded)
    #expect(state(after: [.end]).hasEnded)
  }
}
