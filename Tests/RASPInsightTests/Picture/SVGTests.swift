import Foundation
import RASPInsight
import Streams
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite("A run as SVG")
struct SVGTests {
  @Test("well-formed, whatever the texts are", arguments: 0..<UInt64(rounds(100)))
  func wellFormed(seed: UInt64) throws {
    let run = SampleRuns.hostile(seed: seed)
    let document = try Elements(of: run.svg())
    #expect(document["circle"]?.count ?? 0 == run.occurrences.count)
    #expect(document["script"] == nil)
  }

  @Test("each occurrence is a marble, lower than the one before, and each cause has an arrow to its effect")
  func marbles() throws {
    let run = SampleRuns.receiver(count: 300)
    let document = try Elements(of: run.svg())
    let circles = try #require(document["circle"])
    let heights = circles.compactMap { Int($0["cy"] ?? "") }
    #expect(heights.count == 300)
    #expect(zip(heights, heights.dropFirst()).allSatisfy { $0 < $1 })
    #expect(Set(circles.compactMap { $0["cx"] }).count == 4)
    let identities = Set(run.occurrences.map(\.id))
    let arrows = document["path"]?.filter { $0["class"] == "arrow" } ?? []
    #expect(arrows.count == run.occurrences.count { identities.contains($0.cause) })
    #expect(circles.count { $0["class"]?.hasSuffix(" open") == true } == run.occurrences.count { $0.failure != nil })
    for arrow in arrows {
      let numbers = (arrow["d"] ?? "").split { !$0.isNumber && $0 != "-" }.compactMap { Int($0) }
      // Down, from below its cause to above its effect.
      #expect(numbers.count == 8)
      #expect(numbers[1] < numbers[7] + 1)
    }
  }

  @Test("what a marble carries is its label, and the tooltip says all that is known")
  func labels() {
    let run = Timeline(
      lanes: [Timeline.Lane(number: 1, name: "geo", kind: .aggregator, initial: [])],
      occurrences: [
        .init(id: Cause(lane: 1, number: 1), time: .seconds(1), label: "a & b"),
        .init(
          id: Cause(lane: 1, number: 2),
          time: .milliseconds(1_250),
          duration: .milliseconds(17),
          label: ".heading(91.0)",
          cause: Cause(lane: 1, number: 1),
          failure: "too late",
          changes: [Timeline.Change(path: ".heading", old: "nil", new: "91.0")]
        ),
      ]
    )
    let svg = run.svg()
    #expect(svg.contains(">a &amp; b</text>"))
    #expect(
      svg.contains(
        "<title>geo #2 at 0:00.250\n.heading(91.0)\nfailed: too late\nby geo #1\n.heading: nil → 91.0</title>"
      )
    )
    #expect(svg.contains(">.heading(91.0)<tspan class=\"note\" dx=\"8\">17 ms</tspan>"))
  }

  @Test("five hundred events are at most 400 kB")
  func size() {
    #expect(SampleRuns.receiver(count: 500).svg().utf8.count <= 400_000)
  }

  @Test("five hundred hostile events are not endless: each text is cut")
  func hostileSize() {
    for seed in 0..<10 as Range<UInt64> {
      #expect(SampleRuns.hostile(seed: seed, count: 500).svg().utf8.count <= 5_000_000)
    }
  }
}

/// The elements of a document by their names, with their attributes. A document that is not well-formed has none.
private struct Elements {
  private final class Reader: NSObject, XMLParserDelegate {
    var elements: [String: [[String: String]]] = [:]

    func parser(
      _ parser: XMLParser,
      didStartElement name: String,
      namespaceURI: String?,
      qualifiedName: String?,
      attributes: [String: String]
    ) {
      elements[name, default: []].append(attributes)
    }
  }

  private let elements: [String: [[String: String]]]

  init(of text: String) throws {
    let reader = Reader()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = reader
    try #require(parser.parse(), "\(String(describing: parser.parserError)), line \(parser.lineNumber)")
    elements = reader.elements
  }

  subscript(name: String) -> [[String: String]]? { elements[name] }
}
