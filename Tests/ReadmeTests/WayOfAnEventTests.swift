import TestSupport
import Testing

/// The three ways of an event in CONTRIBUTING name files and functions that are there.
struct WayOfAnEventTests {
  private struct Step {
    let number: Int
    let file: String
    let function: String
  }

  /// The lists of the section, in their order.
  private func ways() throws -> [[Step]] {
    let lines = try SourceFiles.lines(of: "CONTRIBUTING.md")
    let section = lines.drop { $0 != "## The way of an event" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    var ways: [[Step]] = []
    for line in section {
      guard let match = line.firstMatch(of: /^(\d+)\. `([^`]+)`: `(\w+)`.*\.$/) else {
        #expect(line.firstMatch(of: /^\d+\./) == nil, "a step is \"1. `FILE`: `FUNCTION` does …\": \(line)")
        continue
      }
      let number = try #require(Int(match.1))
      if number == 1 { ways.append([]) }
      ways[ways.count - 1].append(Step(number: number, file: String(match.2), function: String(match.3)))
    }
    return ways
  }

  @Test("each file is there, and has the function that its sentence names")
  func functions() throws {
    let ways = try ways()
    #expect(ways.count == 3)
    for way in ways {
      #expect(way.map(\.number) == Array(1...way.count))
      #expect(Set(way.map(\.file)).count == way.count, "a file stands once")
      for step in way {
        let name = step.function
        let declarations =
          name == "init" ? [" init("] : ["func \(name)(", "func \(name)<", "var \(name):", "let \(name):"]
        let isThere = try SourceFiles.lines(of: "Sources/\(step.file)").contains { line in
          !line.drop { $0 == " " }.hasPrefix("//") && declarations.contains { line.contains($0) }
        }
        #expect(isThere, "\(step.file) has no \(name)")
      }
    }
  }

  @Test("the numbers of files in the text are those of the lists")
  func counts() throws {
    let ways = try ways()
    let text = try SourceFiles.lines(of: "CONTRIBUTING.md").joined(separator: " ")
    #expect(text.contains("by key path sees, in \(ways[0].count) files:"))
    #expect(text.contains("of one row sees, in \(ways[1].count) files:"))
    #expect(text.contains("so \(ways[0].count - 1 + ways[2].count) in all:"))
  }

  @Test("the queue has five files, and none of them has more than 300 lines")
  func queue() throws {
    let files = try SourceFiles.swiftFiles(below: "Sources/Streams/Delivery")
    let queue = files.filter { $0.firstMatch(of: /Queue\w*(\+\w+)?\.swift$/) != nil && !$0.contains("SlotQueue") }
    #expect(queue.count == 5)
    for file in files {
      #expect(try SourceFiles.lines(of: file).count <= 301, "\(file)")
    }
  }
}
