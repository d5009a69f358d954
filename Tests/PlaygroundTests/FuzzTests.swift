import RASPTesting
import TestSupport
import Testing

@testable import Playground

@Suite("Damaged input")
struct FuzzTests {
  private static let bodies = [
    "HCHDG,101.5,2.5,W,3.0,E", "GPHDT,12.5,T", "HCHDM,12.5,M",
    "GPRMC,101500,A,5130.0000,N,00415.0000,W,10.0,87.5,010124,2.0,W,A",
    "GPGGA,101500,5130.0000,N,00415.0000,E,1,08,1.0,3,M,46,M,,", "SDDPT,5.3,0.4,", "SDDBT,18.0,f,5.4,M,3.0,F",
    "WIMWV,57.5,R,13.0,N,A",
  ]

  /// Changes, removes, doubles and inserts bytes at random.
  private func mutate(_ bytes: [UInt8], using random: inout SplitMix) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let index = Int.random(in: 0...bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0 where index < bytes.count: bytes[index] = UInt8.random(in: .min ... .max, using: &random)
      case 1 where index < bytes.count: bytes.remove(at: index)
      case 2:
        bytes.insert(
          contentsOf: Array(",-.0123456789*$NEWSAVMTRK\r\n".utf8).shuffled(using: &random).prefix(3),
          at: index
        )
      case 3: bytes.insert(contentsOf: bytes.prefix(index), at: index)
      default: bytes = Array(bytes.prefix(index))
      }
    }
    return bytes
  }

  @Test("no mutation of a sentence traps, and what comes out is sane", arguments: 0..<8)
  func mutations(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    var state = NavigationState()
    var clock = RecordingClock()
    for round in 0..<rounds(40_000) {
      let body = Self.bodies[round % Self.bodies.count]
      // Half of them get a checksum that holds, so that the fields are reached.
      let damaged =
        round.isMultiple(of: 2)
        ? line(String(decoding: mutate(Array(body.utf8), using: &random), as: UTF8.self))
        : mutate(line(body), using: &random)
      for bytes in lines(in: damaged) {
        guard let sentence = Sentence(bytes) else { continue }
        if let time = sentence.timeOfDay.flatMap({ clock.read($0, on: sentence.address) }) {
          state.apply(.time(time))
        }
        state.apply(NavigationEvent(sentence))
        expectSane(state)
      }
    }
  }

  @Test("no noise traps", arguments: 0..<4)
  func noise(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let noise = (0..<50_000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    for bytes in lines(in: noise) { _ = Sentence(bytes) }
  }

  @Test(
    "a foreign byte at any place costs no more than the sentence that it is in",
    arguments: [
      0, 1, 9, 10, 13, 33, 35, 36, 42, 44, 48, 65, 128, 255,
    ]
  )
  func foreignByte(byte: UInt8) async {
    let bodies = [3, 0, 4, 5, 6, 7].map { Self.bodies[$0] }
    let sentences: [[UInt8]] = bodies.map { line($0) + [13, 10] }
    let expected = await values(in: sentences.flatMap(\.self))
    #expect(expected.count == sentences.count)
    for (index, sentence) in sentences.enumerated() {
      var without = expected
      without.remove(at: index)
      for place in 0...sentence.count {
        var damaged = sentences
        damaged[index].insert(byte, at: place)
        let found = await values(in: damaged.flatMap(\.self))
        #expect(found == expected || found == without, "at \(place) of sentence \(index)")
      }
    }
  }

  @Test("no command line traps, and each mistake is told", arguments: 0..<4)
  func commandLines(seed: Int) {
    var random = SplitMix(seed: UInt64(seed))
    let options = Array(Set(Program.scenarios.flatMap(\.options).map(\.name))).sorted()
    let words =
      options + options.map { "\($0)=" } + Program.scenarios.map(\.name) + [
        "", "-", "--", "-h", "--help", "0", "-1", "2.5", "1e400", "nan", "f", "\u{0}", "\u{FEFF}--json", "--seconds=",
        "2026-11-22T15:04:05Z", "9223372036854775808", "ticks.last", "=", "--=", "🛥", "heading > 360",
      ]
    for _ in 0..<rounds(40_000) {
      let line = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        let word = words.randomElement(using: &random) ?? ""
        guard Int.random(in: 0..<8, using: &random) == 0 else { return word }
        return String(decoding: mutate(Array(word.utf8), using: &random), as: UTF8.self)
      }
      do throws(RunFailure) {
        _ = try Program.scenarios.run(for: line)
      } catch {
        #expect(!"\(error)".isEmpty && !"\(error)".contains("\n"), "\(line)")
      }
    }
  }

  /// The events with values in these bytes.
  private func values(in bytes: [UInt8]) async -> [NavigationEvent] {
    let chunks = Chunks(bytes, size: 7)
    var events: [NavigationEvent] = []
    for await event in NavigationEvents(chunks: chunks, pace: .live, scheduler: VirtualScheduler()) {
      switch event {
      case .heading, .fix, .depth, .wind: events.append(event)
      default: break
      }
    }
    return events
  }

  private func expectSane(_ state: NavigationState) {
    if let heading = state.heading { #expect((0..<360).contains(heading.degrees)) }
    if let course = state.course { #expect((0..<360).contains(course)) }
    if let location = state.location {
      #expect((-90...90).contains(location.latitude) && (-180...180).contains(location.longitude))
    }
    for value in [state.speed, state.depth, state.wind?.speed].compactMap({ $0 }) {
      #expect(value.isFinite && value >= 0)
    }
    for change in state.changes { #expect(!change.json.text.contains("nan") && !change.json.text.contains("inf")) }
  }
}
