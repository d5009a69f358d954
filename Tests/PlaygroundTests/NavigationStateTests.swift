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
    "what a receiver has told is forgotten when it has no fix any more, or simulates one",
    arguments: [
      "GPRMC,101502,V,,,,,,,010124,,,N", "GPRMC,101500,A,5130.0000,N,00415.0000,W,10.0,87.5,010124,,,S",
      "GPGGA,101502,,,,,0,,,,M,,M,,", "GPGGA,101500,5130.0000,N,00415.0000,W,8,08,1.0,3,M,46,M,,",
    ]
  )
  func lostFix(body: String) throws {
    let lost = try state(afterSentences: rmc, gga, body)
    #expect(lost.location == nil && lost.speed == nil && lost.course == nil)
    #expect(try state(afterSentences: rmc, gga, body, rmc).course == 87.5)
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
    let bodies = ["GPHDT,1.0,T", "HCHDG,2.0,,,3.0,E", "HCHDM,4.0,M"]
    #expect(try state(after: bodies.map { try event($0) }).heading?.degrees == 1)
    #expect(try state(after: bodies.reversed().map { try event($0) }).heading?.degrees == 1)
    #expect(try state(after: bodies.dropFirst().map { try event($0) }).heading?.degrees == 5)
    #expect(try state(after: bodies.dropFirst(2).map { try event($0) }).heading?.degrees == 4)
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
    let (depth, fix) = (try event("SDDPT,5.0,,"), try event(rmc))
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

  @Test("a damaged sentence leaves the state alone")
  func damaged() throws {
    #expect(state(after: [try event("SDDPT,5.0,,"), .rejected]).depth == 5)
  }

  @Test("the end of the input is part of the state")
  func end() {
    #expect(!NavigationState().hasEnded)
    #expect(state(after: [.end]).hasEnded)
  }
}
