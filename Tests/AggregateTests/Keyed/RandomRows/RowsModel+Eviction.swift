extension RandomRows.Model {
  struct Plan {
    /// The number of rows below which it is not looked again whether one may go.
    var nextWalk = 0
    /// The last event's number at each of the newest looks for idle rows.
    var marks: [Int] = []
  }

  private func mayGo(_ key: Int) -> Bool {
    program.includesObserved || !admitted.contains { $0.key == key }
  }

  private var oldest: Int? {
    rows.filter { mayGo($0.key) }.min { $0.value.stamp < $1.value.stamp }?.key
  }

  /// Gives up the oldest rows as long as there are too many.
  func evict() {
    guard let limit = program.limit else { return }
    while rows.count > limit, rows.count >= plan.nextWalk {
      guard let oldest else {
        plan.nextWalk = rows.count + limit / 8 + 1
        return
      }
      plan.nextWalk = limit + 1
      remove(oldest, "beyondLimit")
    }
  }

  /// Gives up the rows that had no event since the ninth last look, the oldest first.
  func sweep() {
    guard !hasEnded else { return }
    plan.marks.append(lastStamp)
    guard plan.marks.count > 8 else { return }
    let mark = plan.marks.removeFirst()
    let idle = rows.filter { $0.value.stamp <= mark && mayGo($0.key) }.sorted { $0.value.stamp < $1.value.stamp }
    for (key, _) in idle { remove(key, "idle") }
  }
}
