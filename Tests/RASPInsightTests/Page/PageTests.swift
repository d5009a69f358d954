import Foundation
import RASPInsight
import Streams
import TestSupport
import Testing

@Suite("A run as a page")
struct PageTests {
  private func data(of run: Timeline) throws -> [String: Any] {
    let parts = run.page.components(separatedBy: "<script type=\"application/json\" id=\"run\">")
    try #require(parts.count == 2)
    let text = parts[1].components(separatedBy: "</script>")[0]
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func numbers(_ data: [String: Any], _ name: String) throws -> [Int] {
    try #require(data[name] as? [Int], "\(name)")
  }

  @Test(
    "the data holds each event, its cause, and the values before and after each change",
    arguments: 0..<UInt64(rounds(100))
  )
  func data(seed: UInt64) throws {
    for run in [SampleRuns.hostile(seed: seed), SampleRuns.receiver(count: 200, seed: seed)] {
      let data = try data(of: run)
      let words = try #require(data["strings"] as? [String])
      let lanes = try #require(data["lanes"] as? [[Any]])
      // Foundation's reader drops the mark of the byte order, with which some words differ.
      if !run.page.unicodeScalars.contains("\u{FEFF}") {
        #expect(Set(words.map { Array($0.unicodeScalars) }).count == words.count)
      }
      #expect(lanes.prefix(run.lanes.count).map { $0[0] as? Int } == run.lanes.map(\.number))
      let labels = try numbers(data, "label")
      #expect(labels.count == run.occurrences.count)
      for (label, occurrence) in zip(labels, run.occurrences) where !occurrence.label.contains("\u{FEFF}") {
        #expect(words[label] == occurrence.label)
      }
      let (laneOf, counts) = (try numbers(data, "lane"), try numbers(data, "changeCount"))
      for (index, occurrence) in run.occurrences.enumerated() {
        #expect(lanes[laneOf[index]][0] as? Int == occurrence.id.lane)
        #expect(counts[index] == occurrence.changes.count)
      }
      try expectCauses(data, run)
      try expectChanges(data, run, words, lanes)
    }
  }

  private func expectCauses(_ data: [String: Any], _ run: Timeline) throws {
    let (causes, outside) = (try numbers(data, "cause"), try numbers(data, "outside"))
    for (index, cause) in causes.enumerated() {
      let expected = run.occurrences[index].cause
      switch cause {
      case 0: #expect(expected == .unknown)
      case 1...: #expect(run.occurrences[index - cause].id == expected)
      default: #expect(Cause(lane: outside[-cause * 2 - 2], number: outside[-cause * 2 - 1]) == expected)
      }
    }
  }

  /// Moves through the run as the script does.
  private func expectChanges(_ data: [String: Any], _ run: Timeline, _ words: [String], _ lanes: [[Any]]) throws {
    let (changes, laneOf, old) = (try numbers(data, "changes"), try numbers(data, "lane"), try numbers(data, "old"))
    var states = lanes.map { lane in
      let fields = lane[3] as? [Int] ?? []
      return Dictionary(
        stride(from: 0, to: fields.count, by: 2).map { (fields[$0], fields[$0 + 1]) },
        uniquingKeysWith: { $1 }
      )
    }
    let corrections = Dictionary(
      uniqueKeysWithValues: stride(from: 0, to: old.count, by: 2).map { (old[$0], old[$0 + 1]) }
    )
    var at = 0
    for (index, occurrence) in run.occurrences.enumerated() {
      for change in occurrence.changes {
        let path = changes[2 * at]
        let before = corrections[at].map { $0 == 0 ? nil : $0 - 1 } ?? states[laneOf[index]][path]
        let after = changes[2 * at + 1] == 0 ? nil : changes[2 * at + 1] - 1
        for (word, text) in [(path, change.path), (before, change.old), (after, change.new)] {
          if text?.contains("\u{FEFF}") != true { #expect(word.map { words[$0] } == text) }
        }
        states[laneOf[index]][path] = after
        at += 1
      }
    }
    #expect(changes.count == at * 2)
  }

  @Test("no text can end the element that holds the data, and nothing is loaded", arguments: 0..<UInt64(rounds(100)))
  func standsByItself(seed: UInt64) {
    let page = SampleRuns.hostile(seed: seed).page
    #expect(page.components(separatedBy: "</script>").count == 3)
    #expect(page.components(separatedBy: "<script").count == 3)
    #expect(!page.contains("<!--"))
    #expect(!page.contains("http:") && !page.contains("https:") && !page.contains("@import") && !page.contains("url("))
    #expect(page.contains("default-src 'none'"))
  }

  @Test("an event of a receiver takes few bytes")
  func size() {
    let few = SampleRuns.receiver(count: 1_000).page.utf8.count
    let many = SampleRuns.receiver(count: 11_000).page.utf8.count
    #expect((many - few) / 10_000 < 100)
  }
}
