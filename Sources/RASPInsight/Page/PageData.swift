import Streams

/// The data of ``Timeline/page``: a run as columns of numbers, with each text once.
///
/// Numbers and times are differences to the one before, causes are distances, and the old value of a change is there
/// only where it is not what the changes before it have made. So an event takes few bytes.
struct PageData {
  private let run: DrawnRun
  private var words = WordTable()

  init(_ run: DrawnRun) {
    self.run = run
  }

  /// JSON that may stand in a `<script>` element.
  var text: String {
    var data = self
    return data.make()
  }

  private mutating func make() -> String {
    // Before the list of words, which grows with what is written.
    let parts = [lanes(), columns(), changes()].joined(separator: ",\n")
    var text = "{\"format\":1,\"decimals\":\(run.clock.decimals),\"hours\":\(run.clock.hasHours),"
    if let beginning = run.beginning { text += "\"beginning\":\"\(beginning)\"," }
    text += "\"unit\":\(unit),\n\(parts),\n\"strings\":["
    for (index, word) in words.list.enumerated() {
      if index > 0 { text += "," }
      JSON.append(quoted: word, to: &text)
    }
    return text + "]}"
  }

  /// The nanoseconds that all times are multiples of, as they are written.
  private var unit: Int64 {
    [1_000_000, 1_000].first { unit in
      run.times.allSatisfy { $0.subtractingClamped(run.clock.start).isMultiple(of: unit) }
    } ?? 1
  }

  private mutating func lanes() -> String {
    let lanes = run.lanes.map { lane in
      let fields = lane.initial.flatMap { [words.number(of: $0.path), words.number(of: $0.value)] }
      return "[\(lane.number),\(words.number(of: lane.name)),\(words.number(of: lane.kind.rawValue)),[\(list(fields))]]"
    }
    return "\"lanes\":[\(lanes.joined(separator: ",\n"))]"
  }

  private mutating func columns() -> String {
    var newest = Array(repeating: 0, count: run.lanes.count)
    var (numbers, labels, causes): ([Int], [Int], [Int]) = ([], [], [])
    var (failures, outside): ([Int], [Int]) = ([], [])
    var (times, durations): ([Int64], [Int64]) = ([], [])
    var (time, unit) = (run.clock.start, unit)
    for (index, occurrence) in run.occurrences.enumerated() {
      let lane = run.laneOf[index]
      numbers.append(occurrence.id.number - newest[lane])
      newest[lane] = occurrence.id.number
      times.append(run.times[index].subtractingClamped(time) / unit)
      time = run.times[index]
      labels.append(words.number(of: occurrence.label))
      if let cause = run.causeOf[index] {
        causes.append(index - cause)
      } else if occurrence.cause == .unknown {
        causes.append(0)
      } else {
        outside += [occurrence.cause.lane, occurrence.cause.number]
        causes.append(-outside.count / 2)
      }
      if let duration = occurrence.duration { durations += [Int64(index), duration.nanoseconds] }
      if let failure = occurrence.failure { failures += [index, words.number(of: failure)] }
    }
    let columns = [
      ("lane", list(run.laneOf)), ("number", list(numbers)), ("time", list(times)), ("label", list(labels)),
      ("cause", list(causes)), ("outside", list(outside)), ("duration", list(durations)), ("failure", list(failures)),
    ]
    return columns.map { "\"\($0)\":[\($1)]" }.joined(separator: ",\n")
  }

  private mutating func changes() -> String {
    var states = run.lanes.map { lane in
      var fields: [Int: Int] = [:]
      for field in lane.initial { fields[words.number(of: field.path)] = words.number(of: field.value) }
      return fields
    }
    var (counts, changes, old): ([Int], [Int], [Int]) = ([], [], [])
    for (index, occurrence) in run.occurrences.enumerated() {
      counts.append(occurrence.changes.count)
      for change in occurrence.changes {
        let path = words.number(of: change.path)
        let before = change.old.map { words.number(of: $0) }
        if before != states[run.laneOf[index]][path] { old += [changes.count / 2, before.map { $0 + 1 } ?? 0] }
        let after = change.new.map { words.number(of: $0) }
        states[run.laneOf[index]][path] = after
        changes += [path, after.map { $0 + 1 } ?? 0]
      }
    }
    return "\"changeCount\":[\(list(counts))],\n\"changes\":[\(list(changes))],\n\"old\":[\(list(old))]"
  }

  private func list(_ numbers: [some BinaryInteger]) -> String {
    var text = ""
    for (index, number) in numbers.enumerated() {
      if index > 0 { text += "," }
      text += String(number)
    }
    return text
  }
}

/// Texts, each of them once.
private struct WordTable {
  private(set) var list: [String] = []
  private var numbers: [ByUnicode: Int] = [:]

  mutating func number(of word: String) -> Int {
    if let number = numbers[ByUnicode(word)] { return number }
    numbers[ByUnicode(word)] = list.count
    list.append(word)
    return list.count - 1
  }

  /// Two spellings of one text, `é` with one scalar and with two, are equal strings, and are kept apart here.
  private struct ByUnicode: Hashable {
    let word: String

    init(_ word: String) { self.word = word }

    static func == (left: ByUnicode, right: ByUnicode) -> Bool {
      left.word.utf8.elementsEqual(right.word.utf8)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(word)
    }
  }
}
