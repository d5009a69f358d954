import RASPServices
import Streams
import Testing

@Suite("The states that a watcher of a reducer gets")
struct WatchedStateTests {
  private struct Put<Value: Sendable>: Action { let value: Value }

  private final class Box: Sendable, Equatable {
    static func == (left: Box, right: Box) -> Bool { true }
  }

  private func states<Value: Sendable>(_ values: [Value], from first: Value) async throws -> [String] {
    let seen = Lock<[String]>([])
    let cluster = try await Bootstrap {
      Reducer(state: first) { (state: inout Value, put: Put<Value>) in
        state = put.value
        return nil
      }
      .watch(Value.self) { state in seen.withLock { $0.append("\(state)") } }
    }
    for value in values { try await cluster.send(action: Put(value: value)) }
    await cluster.shutdown()
    return seen.withLock { $0 }
  }

  @Test("WATCH-21: a value that can be compared comes when it has changed")
  func values() async throws {
    #expect(try await states([1, 1, 2, 2, 1], from: 1) == ["1", "2", "1"])
    #expect(try await states(["a", "a", "b"], from: "a") == ["a", "b"])
    #expect(try await states([[1], [1, 2], [1, 2]], from: []) == ["[]", "[1]", "[1, 2]"])
  }

  @Test("WATCH-21: a number that stays NaN, and its optional, has not changed; what holds it has")
  func notANumber() async throws {
    struct Reading: Sendable, Equatable { var value = Double.nan }
    let numbers = try await states([.nan, 1, .nan, .nan], from: Double.nan)
    #expect(numbers == ["nan", "1.0", "nan"], "the first one is that of the start")
    #expect(try await states([.nan, nil, .nan], from: Double?.some(.nan)).count == 3)
    #expect(try await states([Double.nan, 1.0], from: Double.nan as any Sendable & Equatable) == ["nan", "1.0"])
    let readings = try await states([Reading(), Reading()], from: Reading())
    #expect(readings.count == 3, "\(readings)")
  }

  @Test("WATCH-22: an optional is compared with what is in it")
  func optionals() async throws {
    #expect(try await states([1, 1, nil, nil, 2], from: Int?.none).count == 4)
  }

  @Test("WATCH-23: an object, and what cannot be compared, comes after each action")
  func others() async throws {
    let box = Box()
    #expect(try await states([box, box], from: box).count == 3)
    struct Plain: Sendable { var number = 0 }
    #expect(try await states([Plain(), Plain()], from: Plain()).count == 3)
    let values: [any Sendable & Equatable] = [1, 1, "a"]
    #expect(try await states(values, from: 1 as any Sendable & Equatable) == ["1", "a"])
  }
}
