import RASPInsight
import TestSupport
import Testing

private struct Fix: Equatable {
  var latitude = 52.5
  var longitude = 4.5
}

private struct Yacht: Equatable {
  enum Phase: Equatable {
    case moored
    case underway(speed: Int, towards: String)
  }
  var name = "Kim"
  var fix: Fix?
  var phase = Phase.moored
  var track: [Fix] = []
  var marks: [String: Int] = [:]
  var names: Set<String> = []
  var age = Duration.seconds(1.5)
}

@Suite("The fields of a state as a flat list")
struct FieldListTests {
  private func texts(_ state: Any, _ limits: FieldList.Limits = .init()) -> [String] {
    FieldList(of: state, limits: limits).fields.map { "\($0.path)=\($0.value)" }
  }

  private func changes(_ change: (inout Yacht) -> Void, from start: Yacht = Yacht()) -> [String] {
    var newer = start
    change(&newer)
    return FieldList(of: start).changes(to: FieldList(of: newer)).map { change in
      "\(change.path): \(change.old ?? "–") \(change.new ?? "–")"
    }
  }

  @Test("each field has its path and its value, in the order of the declaration")
  func fields() {
    #expect(
      texts(Yacht()) == [
        #".name="Kim""#, ".fix=nil", ".phase=.moored", ".track=[]", ".marks=[:]", ".names=[]", ".age=1.5 seconds",
      ]
    )
    let boat = Yacht(
      fix: Fix(),
      phase: .underway(speed: 4, towards: "north"),
      track: [Fix(latitude: 1)],
      marks: ["b": 2, "a": 1],
      names: ["y", "x"]
    )
    #expect(
      texts(boat) == [
        #".name="Kim""#, ".fix.latitude=52.5", ".fix.longitude=4.5", ".phase.underway.speed=4",
        #".phase.underway.towards="north""#, ".track[0].latitude=1.0", ".track[0].longitude=4.5", #".marks["a"]=1"#,
        #".marks["b"]=2"#, #".names=["x", "y"]"#, ".age=1.5 seconds",
      ]
    )
  }

  @Test("a value without fields is a field without a path")
  func plain() {
    #expect(texts(7) == ["=7"])
    #expect(texts("a") == [#"="a""#])
    #expect(texts([Int]()) == ["=[]"])
    #expect(texts(()).count == 1)
  }

  @Test("the difference: what is gone or changed, then what is new")
  func differences() {
    #expect(changes { _ in } == [])
    #expect(changes { $0.name = "Jo" } == [#".name: "Kim" "Jo""#])
    #expect(changes { $0.fix = Fix() } == [".fix: nil –", ".fix.latitude: – 52.5", ".fix.longitude: – 4.5"])
    #expect(
      changes({ $0.marks = ["b": 3, "c": 1] }, from: Yacht(marks: ["a": 1, "b": 2])) == [
        #".marks["a"]: 1 –"#, #".marks["b"]: 2 3"#, #".marks["c"]: – 1"#,
      ]
    )
  }

  @Test("applying the changes gives the newer fields", arguments: 0..<UInt64(rounds(100)))
  func roundTrip(seed: UInt64) {
    var generator = SplitMix(seed: seed)
    func boat() -> Yacht {
      Yacht(
        name: ["Kim", "Jo"].randomElement(using: &generator) ?? "",
        fix: Bool.random(using: &generator) ? Fix(latitude: Double.random(in: 0...2, using: &generator)) : nil,
        phase: Bool.random(using: &generator) ? .moored : .underway(speed: 1, towards: "x"),
        track: Array(repeating: Fix(), count: Int.random(in: 0...3, using: &generator)),
        marks: Dictionary(
          uniqueKeysWithValues: "abcd".filter { _ in Bool.random(using: &generator) }.map { ("\($0)", 1) }
        ),
        names: Set("abcd".filter { _ in Bool.random(using: &generator) }.map { "\($0)" })
      )
    }
    let (old, new) = (FieldList(of: boat()), FieldList(of: boat()))
    var fields = Dictionary(uniqueKeysWithValues: old.fields.map { ($0.path, $0.value) })
    for change in old.changes(to: new) {
      #expect(fields[change.path] == change.old)
      fields[change.path] = change.new
    }
    #expect(fields == Dictionary(uniqueKeysWithValues: new.fields.map { ($0.path, $0.value) }))
  }

  @Test(
    "equal states have equal lists, in whatever order their sets and dictionaries were filled",
    arguments: 0..<UInt64(rounds(100))
  )
  func order(seed: UInt64) {
    struct State {
      var sets: Set<Set<Int>> = []
      var tables: [[String: Int]: Set<String>] = [:]
    }
    var generator = SplitMix(seed: seed)
    func state() -> State {
      var state = State()
      for number in (0..<12).shuffled(using: &generator) {
        state.sets.insert(Set((0...number).shuffled(using: &generator)))
        let key = Dictionary(uniqueKeysWithValues: (0...number).shuffled(using: &generator).map { ("\($0)", $0) })
        state.tables[key.filter { $0.value == number }] = Set((0...number).map { "\($0)" })
      }
      return state
    }
    #expect(FieldList(of: state()) == FieldList(of: state()))
  }

  @Test("limits: of depth, of the length of a text, and of the number of fields")
  func limits() {
    struct Deep { var next: [Deep] = [] }
    var deep = Deep()
    for _ in 0..<40 { deep = Deep(next: [deep]) }
    #expect(texts(deep, .init(depth: 4)).map { $0.prefix { $0 != "=" } } == [".next[0].next[0]"])
    #expect(texts(["x": String(repeating: "y", count: 500)], .init(length: 20)) == [#"["x"]="yyyyyyyyyyyyyyyyyy…"#])
    #expect(texts(Array(0..<1_000), .init(count: 10)).count == 10)
    final class Node {
      var nodes: [Node] = []
    }
    let node = Node()
    node.nodes = [node, node, node]
    #expect(texts(node).count <= 2_000)
    node.nodes = []
  }

  @Test("texts are compared as a whole, though they are drawn cut")
  func longTexts() {
    let long = String(repeating: "y", count: 500)
    let changes = FieldList(of: ["x": long + "1"]).changes(to: FieldList(of: ["x": long + "2"]))
    #expect(changes.count == 1)
  }

  @Test("two keys with one text are two fields")
  func sameText() {
    struct Key: Hashable, CustomStringConvertible {
      var number: Int
      var description: String { "key" }
    }
    #expect(texts([Key(number: 1): 1, Key(number: 2): 1]) == ["[key]=1", "[key]#2=1"])
  }

  /// Shows itself as it likes.
  private struct Posing: CustomReflectable {
    var style: Mirror.DisplayStyle
    var children: [(String?, Any)]

    var customMirror: Mirror {
      Mirror(self, children: children.map { (label: $0.0, value: $0.1) }, displayStyle: style)
    }
  }

  @Test(
    "a value that shows itself with names that repeat, or without names, is drawn and compared",
    arguments: [Mirror.DisplayStyle.struct, .class, .tuple, .optional, .enum, .collection, .dictionary, .set]
  )
  func posing(style: Mirror.DisplayStyle) {
    struct State { var posing: Posing }
    func list(_ values: [Int]) -> FieldList {
      let named = values.enumerated().map { ($0.isMultiple(of: 2) ? "a" : nil, $1 as Any) }
      return FieldList(of: State(posing: Posing(style: style, children: named)))
    }
    for (old, new) in [([1, 2, 3, 4], [1, 2, 3]), ([], [1, 2, 3]), ([1, 2, 3], [3, 2, 1, 0, 0]), ([1], [])] {
      _ = list(old).changes(to: list(new))
      let paths = list(new).fields.map(\.path)
      #expect(Set(paths).count == paths.count)
    }
  }

  @Test("of a large collection no more is read than is drawn")
  func cost() {
    /// Counts what is read of it.
    struct Long: CustomReflectable {
      let count: Int
      let reads = Counter()

      var customMirror: Mirror {
        let numbers = (0..<count).lazy.map { number in
          reads.increment()
          return number
        }
        return Mirror(self, unlabeledChildren: numbers, displayStyle: .collection)
      }
    }
    struct State { var long: Long }
    let long = Long(count: 1_000_000)
    #expect(FieldList(of: State(long: long), limits: .init(count: 50)).fields.count == 50)
    #expect(long.reads.value <= 200)
    // Below the last step of a path, too.
    let deep = Long(count: 1_000_000)
    #expect(FieldList(of: [[State(long: deep)]], limits: .init(depth: 1)).fields.count == 1)
    #expect(deep.reads.value <= 400)
  }

  @Test("a set and a dictionary of more members than there may be fields are drawn as their number")
  func manyMembers() {
    struct State {
      var numbers = Set(0..<3_000)
      var table = Dictionary(uniqueKeysWithValues: (0..<3_000).map { ($0, $0) })
    }
    #expect(texts(State()) == [".numbers=3000 members", ".table=3000 members"])
  }
}
