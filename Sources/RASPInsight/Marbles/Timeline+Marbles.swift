import RASPSupport
import Streams

extension Timeline {
  /// The run as a marble diagram in text: a line for each lane, with time from left to right, and below it a legend
  /// that says what each marble is and which one is its cause.
  ///
  /// ```
  ///      0:00.000
  /// geo  a--b-----d
  /// shop -----c----
  ///
  /// a  0:00.000  geo #1188  .heading(359.0)
  /// b  0:00.100  geo #1189  .location(52.5, 4.3)
  /// c  0:00.101  shop #16   TurnBoat, took 17 ms   ← b
  /// d  0:07.120  geo #1190  .heading(91.0)   ← c
  /// ```
  ///
  /// Each occurrence has a column of its own, right of its cause. More dashes between two of them stand for more time,
  /// though not in proportion. A long run is folded into blocks that each have a legend. No line is longer than 100
  /// columns, so long texts are cut. Times are since the first occurrence; if its wall time is
  /// known, that stands above.
  ///
  /// - Complexity: O(occurrences × lanes).
  public var marbles: String {
    MarbleText(DrawnRun(self)).text
  }
}

/// Writes a run as text, block by block.
private struct MarbleText {
  private static let width = 100
  private static let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")

  private let run: DrawnRun
  private let nameWidth: Int

  init(_ run: DrawnRun) {
    self.run = run
    nameWidth = min(16, run.lanes.map { $0.name.oneLine.columns }.max() ?? 0)
  }

  var text: String {
    if run.occurrences.isEmpty { return run.lanes.map { name(of: $0) + "-\n" }.joined() }
    let beginning = run.beginning.map { "\(run.clock.text(run.clock.start)) is \($0)\n\n" } ?? ""
    return beginning + blocks.map(text(ofBlock:)).joined(separator: "\n")
  }

  private func name(of lane: Timeline.Lane) -> String {
    lane.name.oneLine.fitted(to: nameWidth) + " "
  }

  /// The steps in front of an occurrence that stand for the time since the one before: more for longer times.
  private func gap(before index: Int) -> Int {
    guard index > 0 else { return 0 }
    let passed = run.times[index].subtractingClamped(run.times[index - 1])
    let limits: [Int64] = [1, 10_000_000, 1_000_000_000, 60_000_000_000]
    return limits.count { passed >= $0 }
  }

  /// The occurrences of each block: as many as there are columns and letters for.
  private var blocks: [Range<Int>] {
    var blocks: [Range<Int>] = []
    var (start, column) = (0, 0)
    for index in run.occurrences.indices {
      let next = column + (index == start ? 1 : gap(before: index) + 1)
      if index > start, next > Self.width - nameWidth - 1 || index - start == Self.letters.count {
        blocks.append(start..<index)
        (start, column) = (index, 1)
      } else {
        column = next
      }
    }
    blocks.append(start..<run.occurrences.count)
    return blocks
  }

  private func text(ofBlock block: Range<Int>) -> String {
    var diagrams = Array(repeating: Diagram(steps: []), count: run.lanes.count)
    for index in block {
      let steps = (index == block.lowerBound ? 0 : gap(before: index)) + 1
      for lane in diagrams.indices { diagrams[lane].steps += Array(repeating: [], count: steps) }
      let lane = run.laneOf[index]
      diagrams[lane].steps[diagrams[lane].steps.count - 1] = [.value(String(letter(of: index, in: block)))]
    }
    var text = ruler(above: block, steps: diagrams.first?.steps.count ?? 0)
    for (lane, line) in zip(run.lanes, Diagram.aligned(diagrams)) { text += name(of: lane) + line + "\n" }
    return text + "\n" + legend(of: block)
  }

  private func letter(of index: Int, in block: Range<Int>) -> Character {
    Self.letters[index - block.lowerBound]
  }

  /// The time of the first marble, and of the last one if there is space for both.
  private func ruler(above block: Range<Int>, steps: Int) -> String {
    let first = run.clock.text(run.times[block.lowerBound])
    let last = run.clock.text(run.times[block.upperBound - 1])
    let space = steps - first.count - last.count
    return String(repeating: " ", count: nameWidth + 1) + first
      + (space > 0 ? String(repeating: " ", count: space) + last : "") + "\n"
  }

  private func legend(of block: Range<Int>) -> String {
    let names = block.map { run.name(of: run.occurrences[$0].id) }
    let times = block.map { run.clock.text(run.times[$0]) }
    let nameWidth = min(24, names.map(\.columns).max() ?? 0)
    let timeWidth = times.map(\.count).max() ?? 0
    var text = ""
    for (offset, index) in block.enumerated() {
      let head =
        "\(letter(of: index, in: block))  \(times[offset].rightAligned(to: timeWidth))  "
        + names[offset].fitted(to: nameWidth) + "  "
      let tail = tail(of: index, in: block)
      let label = run.occurrences[index].label.oneLine
      let space = Self.width - head.columns - tail.columns
      var line = head + label.cut(to: space) + tail
      while line.last == " " { line.removeLast() }
      text += line + "\n"
    }
    return text
  }

  /// What is known of an occurrence beside its label.
  private func tail(of index: Int, in block: Range<Int>) -> String {
    let occurrence = run.occurrences[index]
    var text = ""
    if let duration = occurrence.duration { text += ", took \(ClockText.length(duration.nanoseconds))" }
    if let failure = occurrence.failure { text += ", failed: \(failure.oneLine.cut(to: 24))" }
    if let cause = run.causeOf[index] {
      text += "   ← " + (block.contains(cause) ? String(letter(of: cause, in: block)) : causeName(of: index))
    } else if occurrence.cause != .unknown {
      text += "   ← " + causeName(of: index)
    }
    return text.cut(to: 48)
  }

  private func causeName(of index: Int) -> String {
    (run.causeText(of: index) ?? "").cut(to: 40)
  }
}
