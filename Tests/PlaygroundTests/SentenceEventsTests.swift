import Testing

@testable import Playground

@Suite("The meaning of each sentence")
struct SentenceEventsTests {
  private static let knot = 1852.0 / 3600

  // MARK: Heading

  @Test("HDG corrects the compass by its deviation and knows the variation")
  func hdg() throws {
    guard case .heading(let reading) = try event("HCHDG,101.5,2.5,W,3.0,E") else {
      Issue.record("not a heading")
      return
    }
    #expect(reading.instrument == .compass)
    #expect(reading.magneticDegrees == 99)
    #expect(reading.variation == 3)
    #expect(reading.trueDegrees == nil)
  }

  @Test("HDT and HDM are a heading from true and from magnetic north")
  func hdtAndHdm() throws {
    #expect(try event("GPHDT,12.5,T") == .heading(HeadingReading(instrument: .gyro, trueDegrees: 12.5)))
    #expect(
      try event("HCHDM,12.5,M")
        == .heading(HeadingReading(instrument: .magneticCompass, magneticDegrees: 12.5))
    )
  }

  // MARK: Position, course and speed

  @Test("RMC gives location, speed, course and variation")
  func rmc() throws {
    #expect(
      try event("GPRMC,101500,A,5130.0000,N,00415.0000,W,10.0,87.5,010124,2.0,W,A")
        == .fix(
          Fix(
            location: Location(latitude: 51.5, longitude: -4.25),
            speed: 10 * Self.knot,
            course: 87.5,
            variation: -2
          )
        )
    )
  }

  @Test("the oldest RMC ends before the mode, a poor one leaves fields empty")
  func sparseRMC() throws {
    #expect(
      try event("GPRMC,101500,A,5130.0000,N,00415.0000,W,,,010124,,")
        == .fix(Fix(location: Location(latitude: 51.5, longitude: -4.25)))
    )
  }

  @Test("GGA gives the location")
  func gga() throws {
    let fix = NavigationEvent.fix(Fix(location: Location(latitude: 51.5, longitude: 4.25)))
    #expect(try event("GPGGA,101500,5130.0000,N,00415.0000,E,4,08,1.0,3,M,46,M,,") == fix)
    #expect(try event("GPGGA,101500,,,,,1,08,1.0,3,M,46,M,,") == .empty)
  }

  @Test(
    "a receiver without a fix, or with a simulated one, says nothing but that",
    arguments: [
      "GPRMC,101500,V,5130.0000,N,00415.0000,W,10.0,87.5,010124,2.0,W,N",
      "GPRMC,101500,A,5130.0000,N,00415.0000,W,10.0,87.5,010124,2.0,W,N",
      "GPRMC,,V,,,,,,,,,,N",
      "GPGGA,101500,5130.0000,N,00415.0000,E,0,08,1.0,3,M,46,M,,",
      "GPGGA,,,,,,0,,,,M,,M,,",
      "GPRMC,101500,A,5130.0000,N,00415.0000,W,10.0,87.5,010124,2.0,W,S",
      "GPGGA,101500,5130.0000,N,00415.0000,E,8,08,1.0,3,M,46,M,,",
    ]
  )
  func noFix(body: String) throws {
    #expect(try event(body) == .noFix)
  }

  // MARK: Depth and wind

  @Test("DPT and DBT give the depth below the transducer in metres")
  func depth() throws {
    #expect(try event("SDDPT,5.3,0.4,") == .depth(DepthReading(form: .dpt, metres: 5.3)))
    #expect(try event("SDDBT,18.0,f,5.4,M,3.0,F") == .depth(DepthReading(form: .dbt, metres: 5.4)))
    #expect(try event("SDDBT,10.0,f,,M,,F") == .empty)
    #expect(try event("SDDPT,,,") == .empty)
    #expect(try event("SDDPT,-1,0.4,") == .empty)
  }

  @Test(
    "MWV gives the wind in metres per second",
    arguments: [("N", 1852.0 / 3600), ("K", 1 / 3.6), ("M", 1)] as [(String, Double)]
  )
  func wind(unit: String, metresPerSecond: Double) throws {
    #expect(
      try event("WIMWV,57.5,R,10.0,\(unit),A")
        == .wind(Wind(angle: 57.5, speed: 10 * metresPerSecond, reference: .relative))
    )
  }

  @Test(
    "MWV that is void or incomplete says nothing",
    arguments: [
      "WIMWV,57.5,R,13.0,N,V", "WIMWV,57.5,X,13.0,N,A", "WIMWV,57.5,R,13.0,X,A", "WIMWV,,R,13.0,N,A",
      "WIMWV,57.5,R,,N,A", "WIMWV,57.5,R,-1,N,A", "WIMWV",
    ]
  )
  func noWind(body: String) throws {
    #expect(try event(body) == .empty)
  }

  // MARK: Everything else

  @Test(
    "sentences of other kinds are unknown, not rejected",
    arguments: ["GPGSV,1,1,00", "IIXDR,C,,C,AIRTEMP", "PSHDG,1,2", "GPX", "GPRMCX,1"]
  )
  func unknown(body: String) throws {
    #expect(try event(body) == .unknown)
  }

  @Test("an encapsulated sentence is unknown")
  func encapsulated() throws {
    #expect(NavigationEvent(try #require(Sentence(line("AIVDM,1,1,,A,13u,0", start: "!")))) == .unknown)
  }

  @Test("any talker will do, and the time of day is found where there is one")
  func talkersAndTimes() throws {
    #expect(try event("GNHDT,12.5,T") == event("HEHDT,12.5,T"))
    for body in ["GPRMC,000010,V", "GNGGA,000010"] { #expect(try sentence(body).timeOfDay == .seconds(10)) }
    #expect(try sentence("GPVTG,000010").timeOfDay == nil)
  }

  @Test("a sentence of any known kind with all its fields empty or nonsense says nothing and does no harm")
  func emptyAndNonsense() throws {
    for formatter in ["HDG", "HDT", "HDM", "RMC", "GGA", "DPT", "DBT", "MWV"] {
      for count in 0...14 {
        for filler in ["", "x", "-0", "nan", "99999999999999999999999", "\u{7F}"] {
          let body = "GP" + formatter + String(repeating: "," + filler, count: count)
          let meaning = try event(body)
          #expect(meaning == .empty || (filler == "99999999999999999999999" || filler == "-0"))
        }
      }
    }
  }
}
