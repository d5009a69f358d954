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

  @Test("a speed counts unless the same talker has said that its fix is void")
  func voidFix() throws {
    #expect(try isAdmitted(course))
    #expect(try !isAdmitted(void, course))
    #expect(try isAdmitted(void, valid, course))
    #expect(try isAdmitted(void, "GN" + course.dropFirst(2)))
    #expect(try !isAdmitted("GPRMC,101500,A,5130.0000,N,00415.0000,W,10.0,87.5,010124,2.0,W,S", course))
  }

  @Test("a position with a status of its own counts by that, an old one by the last status")
  func geographicPosition() throws {
    #expect(try isAdmitted(void, "GPGLL,5130.0000,N,00415.0000,E,101500,A,A"))
    #expect(try !isAdmitted(void, "GPGLL,5130.0000,N,00415.0000,E"))
  }

  @Test("nothing of a talker counts that simulates")
  func simulator() throws {
    let simulated = "GPGGA,101500,5130.0000,N,00415.0000,E,8,08,1.0,3,M,46,M,,"
    let real = "GPGGA,101500,5130.0000,N,00415.0000,E,1,08,1.0,3,M,46,M,,"
    #expect(try !isAdmitted(simulated, course))
    #expect(try !isAdmitted(simulated, valid))
    #expect(try !isAdmitted(simulated, "GPGLL,5130.0000,N,00415.0000,E,101500,A,A"))
    #expect(try isAdmitted(simulated, real, course))
    #expect(try isAdmitted(simulated, "GPHDT,12.5,T"))
  }
}
