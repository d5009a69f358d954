import Streams

extension Timeline {
  /// The run in the trace event format: JSON that ui.perfetto.dev, chrome://tracing and Speedscope open.
  ///
  /// Each lane is a thread. Each occurrence is a slice, with what is known of it among its arguments, and an arrow
  /// leads from each cause to each of its effects. What overlaps another one of its lane and was not caused by it is on
  /// a further track of the lane, because slices of one track must nest.
  ///
  /// The viewers draw no arrow between slices that begin at one time, and none from a slice without length. So slices
  /// begin at least 0.1 µs apart, in the order of the occurrences, and are at least 0.1 µs long. The exact time, in
  /// nanoseconds since the origin of the clock, is the argument `time`. The wall time of the first occurrence, if it is
  /// known, is
  /// `beginning` of `otherData`.
  ///
  /// - Complexity: O(occurrences × tracks of a lane).
  public var trace: String {
    TraceText(DrawnRun(self)).text
  }
}

/// Writes a run as trace events.
///
/// It is a small part of the format on purpose: complete slices (`X`), flows (`s`, `f`) and names (`M`). Viewers
/// disagree on what the rest means.
private struct TraceText {
  private let run: DrawnRun
  private let slices: [TraceSlice]

  init(_ run: DrawnRun) {
    self.run = run
    slices = TraceSlice.slices(of: run)
  }

  var text: String {
    var text = "{\"displayTimeUnit\":\"ns\","
    if let beginning = run.beginning { text += "\"otherData\":{\"beginning\":\"\(beginning)\"}," }
    text += "\"traceEvents\":[\n"
    var separator = ""
    func add(_ event: JSON) {
      text += separator
      event.append(to: &text)
      separator = ",\n"
    }
    add(["name": .string("process_name"), "ph": .string("M"), "pid": 1, "args": ["name": .string("run")]])
    var trackCounts = Array(repeating: 1, count: run.lanes.count)
    for index in slices.indices {
      trackCounts[run.laneOf[index]] = max(trackCounts[run.laneOf[index]], slices[index].track + 1)
    }
    let bases = trackCounts.reduce(into: [1]) { $0.append(($0.last ?? 0) + $1) }
    for (lane, description) in run.lanes.enumerated() {
      for track in 0..<trackCounts[lane] {
        let name = track == 0 ? description.name : "\(description.name) (\(track + 1))"
        let thread = JSON.integer(Int64(bases[lane] + track))
        add(["name": "thread_name", "ph": "M", "pid": 1, "tid": thread, "args": ["name": .string(name)]])
        add(["name": "thread_sort_index", "ph": "M", "pid": 1, "tid": thread, "args": ["sort_index": thread]])
      }
    }
    func thread(_ index: Int) -> JSON { .integer(Int64(bases[run.laneOf[index]] + slices[index].track)) }
    for index in slices.indices {
      add([
        "name": .string(run.occurrences[index].label.oneLine.clipped(to: 200)),
        "cat": .string(run.lanes[run.laneOf[index]].kind.rawValue), "ph": "X", "pid": 1, "tid": thread(index),
        "ts": slices[index].start.microseconds, "dur": slices[index].length.microseconds, "args": arguments(index),
      ])
      guard let cause = run.causeOf[index] else { continue }
      add([
        "name": "cause", "cat": "cause", "ph": "s", "id": .integer(Int64(index)), "pid": 1, "tid": thread(cause),
        "ts": slices[cause].start.microseconds,
      ])
      add([
        "name": "cause", "cat": "cause", "ph": "f", "bp": "e", "id": .integer(Int64(index)), "pid": 1,
        "tid": thread(index),
        "ts": slices[index].start.microseconds,
      ])
    }
    return text + "\n]}\n"
  }

  private func arguments(_ index: Int) -> JSON {
    let occurrence = run.occurrences[index]
    var members = [
      JSON.Member(key: "event", value: .string(run.name(of: occurrence.id))),
      JSON.Member(key: "time", value: .integer(run.times[index])),
    ]
    func add(_ key: String, _ value: String?) {
      if let value { members.append(JSON.Member(key: key, value: .string(value))) }
    }
    add("cause", run.causeText(of: index))
    add("failure", occurrence.failure)
    for change in occurrence.changes {
      add("state\(change.path)", "\(change.old ?? "nothing") → \(change.new ?? "nothing")")
    }
    return .object(members)
  }
}

extension Int64 {
  /// Nanoseconds as microseconds, which are the unit of the format.
  fileprivate var microseconds: JSON {
    isMultiple(of: 1_000) ? .integer(self / 1_000) : .number(Double(self) / 1_000)
  }
}
