import Aggregate
import Foundation
import RASPValues
import TestSupport
import Testing

/// Issue 27, "State and time", 10: what is a field of a state can be written to a file.
@Suite("Coding of the values that a state is made of")
struct ValueCodingTests {
  private func coded<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  private func decodes<Value: Codable>(_ type: Value.Type, _ text: String) -> Bool {
    (try? JSONDecoder().decode(type, from: Data(text.utf8))) != nil
  }

  @Test("VAL-10: a window goes on as it was, in random programs")
  func windows() throws {
    for seed in 0..<UInt64(rounds(2_000)) {
      var random = SplitMix(seed: seed)
      var window = RollingWindow<Double>(over: .seconds(8))
      var now = 0
      for _ in 0..<40 {
        now += Int.random(in: 0...2, using: &random)
        window.insert(Double(Int.random(in: -50...50, using: &random)), at: .seconds(now))
        var copy = try coded(window)
        #expect(copy == window && copy.hashValue == window.hashValue, "seed \(seed)")
        copy.advance(to: .seconds(now + 5))
        var advanced = window
        advanced.advance(to: .seconds(now + 5))
        #expect(copy.count == advanced.count && copy.min == advanced.min && copy.sum == advanced.sum, "seed \(seed)")
        if Int.random(in: 0..<4, using: &random) == 0 { window = try coded(window) }
      }
    }
  }

  @Test("VAL-10: what cannot be a window is refused")
  func damagedWindows() {
    func window(_ instants: String, _ values: String) -> String {
      "{\"duration\":[0,8],\"instants\":\(instants),\"values\":\(values)}"
    }
    let type = RollingWindow<Double>.self
    #expect(decodes(type, window("[[0,1],[0,2]]", "[1,2]")) || decodes(type, window("[]", "[]")))
    #expect(!decodes(type, window("[[0,2],[0,1]]", "[1,2]")))
    #expect(!decodes(type, window("[]", "[1]")))
  }

  @Test("VAL-10: alarms and staleness are coded")
  func others() throws {
    var alarm = Hysteresis(raisesAt: 80.0, clearsAt: 70.0)
    alarm.update(with: 90)
    #expect(try coded(alarm) == alarm)
    var age = Staleness(after: .seconds(5))
    #expect(try coded(age) == age)
    age.refresh(at: .seconds(3))
    age.advance(to: .seconds(4))
    #expect(try coded(age) == age)
  }

  private struct Counted: AggregateState, Codable, Equatable {
    var count = 0

    mutating func apply(_ step: Int) { count += step }
  }

  @Test("VAL-10: what can be undone and redone is coded, and so are the events")
  func histories() throws {
    var undoable = Undoable(Counted(), limit: 3)
    for step in 1...5 { undoable.apply(.change(step, joining: step > 4 ? "word" : nil)) }
    var copy = try coded(undoable)
    #expect(copy == undoable)
    for event in [Revision<Int>.change(6, joining: "word"), .undo, .redo, .apply(7), .undo, .undo, .undo, .undo] {
      #expect(try coded(event) == event)
      undoable.apply(event)
      copy.apply(event)
      #expect(copy == undoable)
    }
    #expect(!decodes(Undoable<Counted>.self, #"{"present":{"count":0},"limit":1,"past":[]}"#))
  }
}
