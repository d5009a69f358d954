import AllocationCounter
import Shapes

/// The table as Markdown, a line as soon as it is measured.
struct Table {
  let options: Options

  init(_ options: Options) {
    self.options = options
  }

  func print() async throws {
    Swift.print("| shape | ours against | ns per event, ours | theirs | ratio | must reach | reached |")
    Swift.print("|---|---|---:|---:|---:|---:|---|")
    for comparison in Comparison.all where isAskedFor(comparison.title) || isAskedFor(comparison.against) {
      Swift.print(try await line(for: comparison))
    }
    let allocations = "heap allocations per event on the push side, steady state"
    if isAskedFor(allocations) {
      for shape in Shape.withoutAllocations { Swift.print(try await allocationLine(allocations, shape)) }
    }
    let memory = "bytes of memory that one takes"
    if isAskedFor(memory) {
      for footprint in Footprint.all { Swift.print(memoryLine(memory, footprint)) }
    }
  }

  private func isAskedFor(_ text: String) -> Bool {
    options.row.map { text.contains($0) } ?? true
  }

  /// By turns, so that both meet the same disturbances; the medians do not mind a few of them.
  private func line(for comparison: Comparison) async throws -> String {
    let subject = comparison.subject
    let reference = comparison.reference
    var ours: [Double] = []
    var theirs: [Double] = []
    _ = try await reference.measure(events: reference.events)
    _ = try await subject.measure(events: subject.events)
    for _ in 0..<options.rounds {
      let reference = nanoseconds(try await reference.measure(events: reference.events), per: reference.events)
      let subject = nanoseconds(try await subject.measure(events: subject.events), per: subject.events)
      theirs.append(reference)
      ours.append(subject)
    }
    let verdict = Verdict(comparison.goal, median(zip(ours, theirs).map { $0 / $1 }), nanoseconds: median(ours))
    return "| \(comparison.title) | \(comparison.against) | \(decimal(median(ours))) | \(decimal(median(theirs))) "
      + "| \(verdict.ratio) | \(verdict.goal) | \(verdict.isReached ? "yes" : "no") |"
  }

  /// Two sizes, subtracted: what is left belongs to the events.
  private func allocationLine(_ title: String, _ shape: Shape) async throws -> String {
    guard allocation_counter_is_available() else { return "| \(title) | — | | | not counted here | none | |" }
    let small = try await allocations(shape, events: shape.events)
    let big = try await allocations(shape, events: shape.events * 2)
    let perEvent = Double(big - small) / Double(shape.events)
    let isReached = big <= small
    return "| \(title): `\(shape.name)` | — | | | \(isReached ? "0" : "\(perEvent)") | none "
      + "| \(isReached ? "yes" : "no") |"
  }

  /// Makes many and keeps them. The first ones are made before, so that nothing counts that exists once for all.
  private func memoryLine(_ title: String, _ footprint: Footprint) -> String {
    let title = "\(title): \(footprint.title)"
    guard allocation_counter_is_available() else { return "| \(title) | — | | | not counted here | | |" }
    let count = 1_000
    let make = footprint.prepare()
    let first = [make(), make()]
    var kept: [AnyObject] = []
    kept.reserveCapacity(count)
    allocation_counter_start_tracking()
    for _ in 0..<count { kept.append(make()) }
    _ = allocation_counter_stop()
    let bytes = Int(allocation_counter_live_bytes()) / count
    let blocks = Int(allocation_counter_live_blocks()) / count
    return withExtendedLifetime((make, first, kept)) {
      "| \(title) | — | | | \(bytes) in \(blocks) blocks | at most \(footprint.limit) "
        + "| \(bytes <= footprint.limit ? "yes" : "no") |"
    }
  }

  private func allocations(_ shape: Shape, events: Int) async throws -> Int {
    let run = try await shape.prepare(events)
    allocation_counter_start()
    try await run.work()
    let count = allocation_counter_stop()
    try await run.check()
    return count
  }
}

/// A ratio beside its goal, in the goal's terms.
struct Verdict {
  let ratio: String
  let goal: String
  let isReached: Bool

  /// - Parameters:
  ///   - times: how many times as long ours takes.
  ///   - nanoseconds: how long ours takes per event.
  init(_ goal: Comparison.Goal, _ times: Double, nanoseconds: Double) {
    switch goal {
    case .takesAtMost(let limit):
      ratio = "\(decimal(times)) × its time"
      self.goal = "at most \(decimal(limit)) ×"
      isReached = times <= limit
    case .isFasterAtLeast(let limit):
      ratio = "\(decimal(1 / times)) × as fast"
      self.goal = "at least \(decimal(limit)) ×"
      isReached = 1 / times >= limit
    case .takesAtMostNanoseconds(let limit):
      ratio = "\(decimal(times)) × its time"
      self.goal = "at most \(decimal(limit)) ns"
      isReached = nanoseconds <= limit
    }
  }
}

func median(_ values: [Double]) -> Double {
  values.sorted()[values.count / 2]
}

/// Two digits behind the point for small numbers, none for large ones.
func decimal(_ number: Double) -> String {
  if number >= 100 { return "\(Int(number.rounded()))" }
  let hundredths = Int((number * 100).rounded())
  if hundredths % 100 == 0 { return "\(hundredths / 100)" }
  let fraction = hundredths % 100
  return fraction % 10 == 0
    ? "\(hundredths / 100).\(fraction / 10)" : "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
}
