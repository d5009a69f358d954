import Foundation
import RASPInsight
import Streams
import TestSupport
import Testing

@Suite("The article about drawn runs")
struct DrawnRunsTests {
  @Test("every Swift block of the article is compiled by this target")
  func blocksAreCompiled() throws {
    let document = "Sources/RASPInsight/RASPInsight.docc/DrawnRuns.md"
    #expect(try ArticleBlocks.count(in: document) == 3)
    #expect(try ArticleBlocks.notCompiled(of: document, in: "Tests/RASPInsightTests/Articles") == [])
  }

  @Test("the drawings of the article are written to files")
  func drawings() throws {
    let folder = URL.temporaryDirectory.appending(path: "rasp-drawn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var texts: [String] = []
    func print(_ text: String) { texts.append(text) }
    let run = SampleRuns.receiver(count: 300)
    let timeline = Files(run: run, folder: folder)

    print(timeline.marbles)
    try timeline.page.write(toFile: "run.html", atomically: true, encoding: .utf8)

    #expect(texts == [run.marbles])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["run.html"])
  }

  @Test("the redaction of the article")
  func redaction() {
    let timeline = SampleRuns.receiver(count: 300)

    let anonymous = Timeline.Redaction { lane, field in
      field.path.hasPrefix(".location") ? nil : field
    } label: { lane, label in
      label.hasPrefix(".location") ? ".location" : label
    }
    let shared = timeline.redacted(by: anonymous).page

    #expect(timeline.page.contains(".location("))
    #expect(!shared.contains(".location("))
  }

  @Test("the part of the article")
  func part() {
    var texts: [String] = []
    func print(_ text: String) { texts.append(text) }
    let start = SampleRuns.receiver(count: 1)
    var timeline = SampleRuns.receiver(count: 300)
    // The article's times begin at zero.
    for index in timeline.occurrences.indices { timeline.occurrences[index].time -= start.occurrences[0].time }

    let turn = timeline.keeping(times: .seconds(10)...(.seconds(12)))
    let boat = turn.keeping(lanes: ["geo", "pilot"])
    print(boat.marbles)

    #expect(!boat.occurrences.isEmpty)
    #expect(texts == [boat.marbles])
  }
}

/// A timeline whose drawings are written into a folder.
private struct Files {
  struct Text {
    let text: String
    let folder: URL

    func write(toFile name: String, atomically: Bool, encoding: String.Encoding) throws {
      try text.write(toFile: folder.appending(path: name).path, atomically: atomically, encoding: encoding)
    }
  }

  let run: Timeline
  let folder: URL

  var marbles: String { run.marbles }
  var page: Text { Text(text: run.page, folder: folder) }
}
