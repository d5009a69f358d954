import TestSupport
import Testing

/// The last two steps of the tutorial stand in this target, too, so that the test of the tutorial runs. `.ci/run` has
/// the compiler check each step by itself.
@Suite("The tutorial")
struct TutorialTests {
  private let steps = "Sources/RASP.docc/Resources"
  private let here = "Tests/ReadmeTests/Tutorial"

  @Test("the program is that of the ninth step")
  func program() throws {
    let program = try code(in: "\(here)/Greenhouse.swift")
    #expect(program.count > 50)
    #expect(try code(in: "\(steps)/Greenhouse-09.swift").starts(with: program))
  }

  @Test("the test is that of the tenth step")
  func test() throws {
    #expect(try code(in: "\(here)/GreenhouseTests.swift") == code(in: "\(steps)/Greenhouse-10.swift"))
  }

  private func code(in path: String) throws -> [String] {
    try SourceFiles.lines(of: path).filter { line in
      !line.isEmpty && !["import ", "@testable ", "//"].contains { line.hasPrefix($0) }
    }
  }
}
