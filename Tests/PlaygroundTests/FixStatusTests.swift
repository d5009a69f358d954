import Testing

@testable import Playground

@Suite("The status of a fix")
struct FixStatusTests {
  /// Whether the last of these sentences counts.
  private func isAdmitted(_ bodies: String...) throws -> Bool {
    var status = FixStatus()
    return try bodies.map { status.admits(try Sentence(line($0))) }.last ?? false
  }

  private let course = "GPVTG,87.5,T,85.0,M,10.0,N,18.5,K"
  private let valid = "GPRMC,101500,A,5130.0000,N,00415.0000,W,10.0,87.5,010124,2.0,W,A"
  private let void = "GPRMC,101500,V,,,,,,,010124,,,N"

  private let position = "GPGLL,5130.0000,N,00415.0000,E"
  private let real = "GPGGA,101500,5130.0000,N,00415.0000,E,1,08,1.0,3,M,46,M,,"

  @Test(
    "nothing of a talker counts that has no fix, or simulates one, until the same kind of sentence says otherwise",
    arguments: [
      ("GPRMC,101500,V,,,,,,,010124,,,N", "GPRMC,101500,A,5130.0000,N,00415.0000,W,10.0,87.5,010124,2.0,W,A"),
      ("GPRMC,101500,A,5130.0000,N,00415.0000,W,,,010124,,,S", "GPRMC,101500,A,5130.0000,N,00415.0000,W,,,010124,,"),
      ("GPGGA,101500,5130.0000,N,00415.0000,E,8,08,1.0,3,M,46,M,,", "GPGGA,,5130.0000,N,00415.0000,E,1,08,,,,,,,"),
      ("GPGGA,101500,,,,,0,,,,M,,M,,", "GPGGA,,5130.0000,N,00415.0000,E,1,08,,,,,,,"),
      ("GPGLL,,,,,,V,N", "GPGLL,5130.0000,N,00415.0000,E,101500,A,A"),
      ("GPVTG,,T,,M,,N,,K,S", "GPVTG,,T,,M,,N,,K,A"),
    ]
  )
  func denied(denial: String, grant: String) throws {
    for body in [course, position] {
      #expect(try isAdmitted(body))
      #expect(try !isAdmitted(denial, body))
      #expect(try isAdmitted(denial, grant, body))
      #expect(try isAdmitted(denial, "GN" + body.dropFirst(2)))
    }
    #expect(try isAdmitted(denial, "GPHDT,12.5,T"))
  }

  @Test("an old sentence with a status does not outvote another one that says there is no fix")
  func conflict() throws {
    #expect(try !isAdmitted("GPGGA,101500,5130.0000,N,00415.0000,E,8,08,1.0,3,M,46,M,,", valid))
    #expect(try !isAdmitted(void, real))
    #expect(try isAdmitted(void, real, valid, real))
    #expect(try !isAdmitted(void, "GPRMC,101500,,,,,,,,010124,,", course))
  }
}
