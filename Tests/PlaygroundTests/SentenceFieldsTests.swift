import Testing

@testable import Playground

@Suite("The fields of a sentence")
struct SentenceFieldsTests {
  private func fields(_ fields: String) throws -> Sentence { try sentence("GPXXX," + fields) }

  @Test("a number is a plain decimal number", arguments: [("5.3", 5.3), ("-4", -4), ("007", 7), ("5.", 5)])
  func numbers(text: String, value: Double) throws {
    #expect(try fields(text).number(0) == value)
  }

  @Test(
    "what is no plain decimal number is not known",
    arguments: [
      "", "x", "nan", "inf", "-inf", "0x1p3", "1e5", "1.2.3", "-", ".", "--1", "1-", "+1", " 1", "1 ", "٣",
      String(repeating: "9", count: 400),
    ]
  )
  func notNumbers(text: String) throws {
    #expect(try fields(text).number(0) == nil)
    #expect(try fields(text).angle(0) == nil)
    #expect(try fields(text).timeOfDay(0) == nil)
  }

  @Test("a field beyond the last is not known")
  func missing() throws {
    #expect(try fields("1").number(1) == nil)
    #expect(try fields("1").text(99) == nil)
    #expect(try fields("1").location(0) == nil)
  }

  @Test("an angle of a full circle is north, one beyond is not known")
  func angles() throws {
    #expect(try fields("360").angle(0) == 0)
    #expect(try fields("359.9").angle(0) == 359.9)
    #expect(try fields("360.1").angle(0) == nil)
    #expect(try fields("-1").angle(0) == nil)
  }

  @Test("directions and hemispheres give the sign")
  func signs() throws {
    #expect(try fields("1.3,E").eastward(0) == 1.3)
    #expect(try fields("1.3,W").eastward(0) == -1.3)
    #expect(try fields("1.3,").eastward(0) == nil)
    #expect(try fields("200,E").eastward(0) == nil)

    let southWest = try #require(try fields("3345.0000,S,07030.0000,W").location(0))
    #expect(southWest == Location(latitude: -33.75, longitude: -70.5))
  }

  @Test(
    "an impossible coordinate is not known",
    arguments: [
      "9100.0,N,00000.0,E", "9000.1,N,00000.0,E", "5260.0,N,00000.0,E", "-5200.0,N,00000.0,E",
      "5200.0,X,00000.0,E",
      "5200.0,N,18000.1,E", "5200.0,N,,E", "5200.0,N,00000.0,", "5200.0,,00000.0,E",
    ]
  )
  func impossibleCoordinates(text: String) throws {
    #expect(try fields(text).location(0) == nil)
  }

  @Test("the poles and the date line are possible")
  func extremes() throws {
    #expect(try fields("9000.0,S,18000.0,W").location(0) == Location(latitude: -90, longitude: -180))
  }

  @Test("a time of day is read to the millisecond")
  func times() throws {
    #expect(try fields("000000").timeOfDay(0) == .zero)
    #expect(try fields("094737.408").timeOfDay(0) == .milliseconds(35_257_408))
    for text in ["240000", "1234567", "-94737"] {
      #expect(try fields(text).timeOfDay(0) == nil)
    }
  }

  @Test(
    "an angle is normalised",
    arguments: [(0, 0), (360, 0), (-0.5, 359.5), (725, 5), (-360, 0), (-1e-300, 0)] as [(Double, Double)]
  )
  func normalising(degrees: Double, expected: Double) {
    #expect(Compass.normalized(degrees: degrees) == expected)
  }
}
