import Streams
import Testing

@testable import Playground

@Suite("What is shown")
struct PresenterTests {
  private func present(_ style: OutputStyle, _ changes: [FieldChange]) async throws -> (Report, [String]) {
    let file = try OutputFile()
    let presenter = Presenter(
      Report(title: "Title", events: ["depth"], fields: ["depth", "speed"]),
      style: style,
      output: file.output
    )
    presenter.follow(
      events: Observable(changes.map(\.field)),
      snapshots: Observable(changes),
      changes: Observable(changes)
    )
    let report = await presenter.finish()
    return (report, try file.text().split { $0 == "\n" || $0 == "\r\n" }.map { String($0) })
  }

  @Test("that a field starts out unknown is no change, that it becomes unknown is one")
  func onceKnown() async throws {
    let (report, lines) = try await present(.lines, [.depth(nil), .speed(nil), .depth(5), .depth(nil)])
    #expect(lines == ["depth        5.0 m", "depth        unknown"])
    #expect(report.changes["depth"] == 2)
    #expect(report.changes["speed"] == 0)
    #expect(report.events["speed"] == 1)
    #expect(report.snapshots == 4)
  }

  @Test("the last picture shows the final values")
  func picture() async throws {
    let (_, lines) = try await present(.picture, [.depth(5), .depth(6)])
    #expect(lines.filter { $0.contains("Title") }.count >= 2)
    #expect(lines.last { $0.contains("depth") }?.contains("6.0 m") == true)
    #expect(lines.last { $0.contains("speed") }?.contains("unknown") == true)
  }
}
