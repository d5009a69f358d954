import Aggregate
import Foundation
import TestSupport
import Testing

@testable import RASPJournal

@Suite("JSON under right checksums that was not written by this library")
struct HostileJSONTests {
  /// Reads a recording without events whose state has this text.
  private func read<Value: Codable & Sendable>(_ json: [UInt8], as type: Value.Type) throws -> Value {
    let coding = RecordingCoding(states: Coding<Holder<Value>>.codable, events: Coding<Int>.codable)
    let raw = RecordingCoding<Raw>(
      states: Coding(version: 1, named: "Holder<\(TypeName.of(Value.self))>") { state, bytes in
        bytes.append(contentsOf: state.bytes)
      } decode: { bytes in
        Raw(bytes: try bytes.readBytes(bytes.remaining))
      },
      events: .codable
    )
    let file = try Recording(name: "x", initial: nil, entries: [], state: Raw(bytes: json)).bytes(coding: raw)
    return try Recording<Holder<Value>>(file, coding: coding).state.value
  }

  @Test("a number that is not finite is written only where it is read again")
  func notFinite() throws {
    let coder = JSONCoder()
    func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
      var bytes = ByteWriter()
      try coder.append(value, to: &bytes)
      return try bytes.bytes.withUnsafeBytes { part in
        var reader = ByteReader(part)
        return try coder.read(Value.self, from: &reader)
      }
    }
    #expect(throws: JSONText.notFinite) { try roundTrip(Decimal.nan) }
    #expect(throws: JSONText.notFinite) { try roundTrip(["a": [Decimal(1), .nan]]) }
    #expect(try roundTrip([Decimal(1), -2.5]) == [1, -2.5])
    #expect(try roundTrip([Double.nan, .infinity, 1]).map(\.isNaN) == [true, false, false])
    #expect(try roundTrip(["NaN", "a \"Infinity"]) == ["NaN", "a \"Infinity"])
  }

  @Test("FILE-03: nested deeper than 128: refused, by reading and by writing")
  func nesting() throws {
    for count in [129, 100_000] {
      let error = #expect(throws: JournalError.self) {
        try read([UInt8](repeating: UInt8(ascii: "["), count: count), as: Nested.self)
      }
      #expect(error?.description.contains("nested more than 128 deep") == true)
    }
    let deep = (0..<130).reduce(Nested(items: [])) { inner, _ in Nested(items: [inner]) }
    let recording = Recording(name: "x", initial: nil, entries: [], state: Holder(value: deep))
    #expect(throws: JournalError.self) { try recording.bytes(coding: .codable) }
    let flat = try read(Array(#"{"value":[[],[[]],[]]}"#.utf8), as: Nested.self)
    #expect(flat.items.count == 3)
    let text = try read(Array(#"{"value":"[[[\"[{\\"}"#.utf8), as: String.self)
    #expect(text == #"[[["[{\"#)
  }

  @Test("JSON in units of 16 bits, which a coder would read, is refused")
  func encodings() {
    let wide = Array(#"{"value":1}"#.utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(throws: JournalError.self) { try read(wide, as: Int.self) }
    #expect(throws: JournalError.self) { try read([0xFF, 0xFE] + wide, as: Int.self) }
  }

  @Test(
    "texts that are no JSON, or another value",
    arguments: [
      "", "{", "nul", "\"", "1e999999", "{\"value\":1e400}", "{\"value\":99999999999999999999}", "{\"value\":NaN}",
      "[]",
      "{\"value\":1}{", "{\"value\":\"\\ud800\"}", "\u{FEFF}", "{\"value\":-}", "{\"value\":1.5}", "{\"value\":null}",
    ]
  )
  func texts(text: String) {
    #expect(throws: JournalError.self) { try read(Array(text.utf8), as: Int.self) }
  }

  @Test("FILE-03: random texts never trap")
  func fuzz() {
    var random = SplitMix(seed: 7)
    let parts = [
      "{", "}", "[", "]", "\"", "\\", ",", ":", "value", "1", "-", "e", ".", "\\u12", "true", "null", "\u{1F600}",
    ]
    for _ in 0..<rounds(20_000) {
      let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in parts.randomElement(using: &random) ?? "" }
        .joined()
      _ = try? read(Array("{\"value\":\(text)".utf8), as: Nested.self)
      _ = try? read(Array(text.utf8) + [.random(in: .min ... .max, using: &random)], as: Int.self)
    }
  }
}

private struct Raw: AggregateState {
  var bytes: [UInt8] = []
  mutating func apply(_ event: Int) {}
}

private struct Holder<Value: Codable & Sendable>: AggregateState, Codable {
  var value: Value
  mutating func apply(_ event: Int) {}
}

/// An array of arrays of arrays …
private struct Nested: Codable, Sendable {
  var items: [Nested]

  init(items: [Nested]) { self.items = items }

  init(from decoder: any Decoder) throws { items = try decoder.singleValueContainer().decode([Nested].self) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(items)
  }
}
