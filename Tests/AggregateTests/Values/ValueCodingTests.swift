import Aggregate
import Foundation
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
      var window =
        Bool.random(using: &random)
        ? RollingWindow<Double>(over: .seconds(8)) : RollingWindow<Double>(over: .seconds(8), in: 4)
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
    let slots =
      "{\"duration\":[0,8],\"slotDuration\":[0,2],\"instants\":[[0,1]],\"counts\":[COUNT],"
      + "\"minima\":[1],\"maxima\":[1],\"sums\":[1]}"
    #expect(decodes(type, slots.replacingOccurrences(of: "COUNT", with: "1")))
    for count in ["0", "-1", "1,1"] {
      #expect(!decodes(type, slots.replacingOccurrences(of: "COUNT", with: count)))
    }
  }

  @Test("VAL-10: alarms, staleness and weighted windows are coded")
  func others() throws {
    var alarm = Hysteresis(raisesAt: 80.0, clearsAt: 70.0)
    alarm.update(with: 90)
    #expect(try coded(alarm) == alarm)
    var age = Staleness(after: .seconds(5))
    #expect(try coded(age) == age)
    age.refresh(at: .seconds(3))
    age.advance(to: .seconds(4))
    #expect(try coded(age) == age)
    var weighted = WeightedWindow<Double>(over: .seconds(5), in: 5)
    weighted.insert(1, weight: 2, at: .seconds(1))
    #expect(try coded(weighted) == weighted)
  }

  private struct Counted: ReversibleState, Codable, Equatable {
    var count = 0

    mutating func apply(_ step: Int) { count += step }

    func inverse(of step: Int) -> Int? { -step }
  }

  @Test("VAL-10: what can be undone and redone, and what waits for an answer, is coded")
  func histories() throws {
    var undoable = Undoable(Counted(), limit: 3)
    var reversible = Reversible(Counted(), limit: 3)
    for step in 1...5 {
      undoable.apply(.change(step))
      reversible.apply(.change(step))
    }
    undoable.apply(.undo)
    reversible.apply(.undo)
    var (undoableCopy, reversibleCopy) = (try coded(undoable), try coded(reversible))
    #expect(undoableCopy == undoable)
    for revision in [Revision<Int>.redo, .undo, .undo, .undo, .undo] {
      undoable.apply(revision)
      undoableCopy.apply(revision)
      reversible.apply(revision)
      reversibleCopy.apply(revision)
      #expect(undoableCopy == undoable)
      #expect(reversibleCopy.count == reversible.count && reversibleCopy.canUndo == reversible.canUndo)
    }
    #expect(
      !decodes(
        Undoable<Counted>.self,
        #"{"present":{"count":0},"limit":1,"past":[{"count":0},{"count":1}],"future":[]}"#
      )
    )

    var optimistic = Optimistic<Counted, Int>(Counted())
    optimistic.apply(.predict(5, as: 1))
    optimistic.apply(.predict(7, as: 2))
    var copy = try coded(optimistic)
    #expect(copy.present.count == 12 && copy.confirmed.count == 0 && copy.waitingIDs == [1, 2])
    copy.apply(.refuse(1))
    #expect(copy.present.count == 7)
    #expect(!decodes(Optimistic<Counted, Int>.self, #"{"confirmed":{"count":0},"ids":[1],"changes":[]}"#))
  }
}
