/// A row of the table of goals that is a ratio of times: shapes, and those that they are measured beside.
public struct Ratio: Sendable {
  /// How the rounds become one figure.
  enum Judge: Sendable {
    /// The least time of each shape: what else the machine does only adds time.
    case least
    /// The median of the ratios of the rounds. Where threads meet, the least time is that of a run in which they did
    /// not.
    case median
  }

  /// The name in `goals.tsv`.
  public let name: String
  /// Whose times are multiplied.
  let over: [Shape]
  /// By whose times that is divided.
  let under: [Shape]
  let judge: Judge

  /// How many times as long a shape takes as another one.
  init(_ name: String, _ subject: Shape, beside reference: Shape, by judge: Judge = .least) {
    self.init(name, over: [subject], under: [reference], by: judge)
  }

  init(_ name: String, over: [Shape], under: [Shape], by judge: Judge = .least) {
    self.name = name
    self.over = over
    self.under = under
    self.judge = judge
  }

  /// The figure of so many rounds. In a round all are measured by turns in this one process, so that what else the
  /// machine does meets them all.
  public func measure(rounds: Int) async throws -> Double {
    // The first round looks types up, and makes room.
    _ = try await round()
    var times: [(over: [Double], under: [Double])] = []
    for _ in 0..<rounds { times.append(try await round()) }
    return switch judge {
    case .least:
      over.indices.map { index in times.map { $0.over[index] }.min() ?? 1 }.reduce(1, *)
        / under.indices.map { index in times.map { $0.under[index] }.min() ?? 1 }.reduce(1, *)
    case .median:
      times.map { $0.over.reduce(1, *) / $0.under.reduce(1, *) }.sorted()[rounds / 2]
    }
  }

  private func round() async throws -> (over: [Double], under: [Double]) {
    var times: (over: [Double], under: [Double]) = ([], [])
    for shape in under { times.under.append(try await shape.measure()) }
    for shape in over { times.over.append(try await shape.measure()) }
    return times
  }
}
