import RASPSupport
import Testing

@Suite("Difference of two states")
struct DifferenceTests {
  private func difference(_ change: (inout Voyage) -> Void, from start: Voyage = Voyage()) -> [String] {
    var changed = start
    change(&changed)
    let text = describeDifference(expected: start, observed: changed)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines.first == "the state is not as expected:")
    return lines.dropFirst().map { String($0.drop { $0 == " " }) }
  }

  private let sailing: Voyage = {
    var voyage = Voyage()
    voyage.fix = Voyage.Fix(latitude: 1, longitude: 2)
    voyage.phase = .underway(speed: 4)
    voyage.track = [Voyage.Fix(latitude: 0, longitude: 0), Voyage.Fix(latitude: 1, longitude: 2)]
    voyage.marks = ["buoy": 1, "light": 2]
    voyage.speeds = [1, 2, 3]
    return voyage
  }()

  @Test("only what differs is told, by its path")
  func nested() {
    #expect(difference({ $0.fix?.longitude = 9 }, from: sailing) == ["fix.longitude: expected 2.0, observed 9.0"])
    #expect(difference({ $0.pair.starboard = 3 }) == ["pair.starboard: expected 2, observed 3"])
    #expect(
      difference(
        {
          $0.fix?.latitude = 8
          $0.fix?.longitude = 9
        },
        from: sailing
      ) == ["fix.latitude: expected 1.0, observed 8.0", "fix.longitude: expected 2.0, observed 9.0"]
    )
  }

  @Test("optionals: there or not")
  func optionals() {
    #expect(difference({ $0.fix = nil }, from: sailing).map { $0.hasPrefix("fix: expected ") } == [true])
    #expect(difference({ $0.fix = nil }, from: sailing).map { $0.hasSuffix("observed nil") } == [true])
    #expect(difference { $0.fix = .init() }.map { $0.hasPrefix("fix: expected nil, observed ") } == [true])
  }

  @Test("enums: another case as a whole, the same case by what it carries")
  func enums() {
    #expect(difference({ $0.phase = .moored }, from: sailing).count == 1)
    #expect(
      difference({ $0.phase = .underway(speed: 5) }, from: sailing) == ["phase.underway.speed: expected 4, observed 5"]
    )
    var anchored = sailing
    anchored.phase = .anchored(.init(latitude: 1, longitude: 1), depth: 7)
    #expect(
      difference({ $0.phase = .anchored(.init(latitude: 1, longitude: 3), depth: 7) }, from: anchored) == [
        "phase.anchored.0.longitude: expected 1.0, observed 3.0"
      ]
    )
  }

  @Test("arrays: element by element, and how many there are")
  func arrays() {
    #expect(
      difference({ $0.track[1].latitude = 5 }, from: sailing) == ["track[1].latitude: expected 1.0, observed 5.0"]
    )
    #expect(
      difference({ $0.track.removeLast() }, from: sailing).map { $0.hasPrefix("track[1]: expected ") } == [true]
    )
    #expect(difference({ $0.track.removeLast() }, from: sailing).map { $0.hasSuffix("observed nothing") } == [true])
    #expect(
      difference({ $0.track.append(.init()) }, from: sailing).map {
        $0.hasPrefix("track[2]: expected nothing, observed ")
      } == [true]
    )
  }

  @Test("dictionaries: key by key, in one order")
  func dictionaries() {
    #expect(
      difference(
        {
          $0.marks["light"] = 3
          $0.marks["buoy"] = nil
          $0.marks["wreck"] = 4
        },
        from: sailing
      ) == [
        "marks[\"buoy\"]: expected 1, observed nothing",
        "marks[\"light\"]: expected 2, observed 3",
        "marks[\"wreck\"]: expected nothing, observed 4",
      ]
    )
  }

  @Test("sets: as a whole, in one order")
  func sets() {
    #expect(difference({ $0.speeds = [3, 1] }, from: sailing) == ["speeds: expected [1, 2, 3], observed [1, 3]"])
  }

  @Test("values that are no structs, and differences that cannot be seen")
  func whole() {
    #expect(
      describeDifference(expected: 1, observed: 2) == "the state is not as expected:\n  state: expected 1, observed 2"
    )
    #expect(
      describeDifference(expected: [1], observed: [1, 2])
        == "the state is not as expected:\n  [1]: expected nothing, observed 2"
    )
    #expect(describeDifference(expected: "a", observed: "b").hasSuffix(#"expected "a", observed "b""#))
    struct Opaque: Equatable {
      let number: Int
      static func == (lhs: Opaque, rhs: Opaque) -> Bool { false }
    }
    let unseen = describeDifference(expected: Opaque(number: 1), observed: Opaque(number: 1))
    #expect(unseen.split(separator: "\n").count == 2)
    #expect(unseen.contains("number: 1"))
  }

  @Test("a class that refers to itself does not send it round in circles")
  func cycles() {
    final class Node {
      var number: Int
      var next: Node?
      init(_ number: Int) { self.number = number }
    }
    let nodes = [Node(1), Node(2)]
    for node in nodes { node.next = node }
    #expect(describeDifference(expected: nodes[0], observed: nodes[1]).contains("number: expected 1, observed 2"))
    for node in nodes { node.next = nil }
  }
}
