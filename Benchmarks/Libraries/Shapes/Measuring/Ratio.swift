/// A row of the table of goals that is a ratio of times: shapes, and those that they are measured beside.
public struct Ratio: Sendable {
  /// The name in `goals.tsv`.
  public let name: String
  /// Whose times are multiplied.
  let over: [Shape]
  /// By whose times that is divided.
  let under: [Shape]

  /// How many times as long a shape takes as another one.
  init(_ name: String, _ subject: Shape, beside reference: Shape) {
    self.init(name, over: [subject], under: [reference])
  }

  init(_ name: String, over: [Shape], under: [Shape]) {
    self.name = name
    self.over = over
    self.under = under
  }

  /// The median of so many rounds. In a round all are measured by turns in this one process, so that what else the
  /// machine does meets them all.
  public func measure(rounds: Int) async throws -> Double {
    // The first round looks types up, and makes room.
    _ = try await round()
    var ratios: [Double] = []
    for _ in 0..<rounds { ratios.append(try await round()) }
    return ratios.sorted()[rounds / 2]
  }

  private func round() async throws -> Double {
    var ratio = 1.0
    for shape in under { ratio /= try await shape.measure() }
    for shape in over { ratio *= try await shape.measure() }
    return ratio
  }
}
