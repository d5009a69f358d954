extension RandomRows.Model {
  private func mayGo(_ key: Int) -> Bool {
    program.includesObserved || !admitted.contains { $0.key == key }
  }

  private func oldest(besides newcomer: Int) -> Int? {
    rows.filter { $0.key != newcomer && mayGo($0.key) }.min { $0.value.stamp < $1.value.stamp }?.key
  }

  /// Gives up the oldest rows as long as there are too many, but not the one that has been made last.
  func evict(besides newcomer: Int) {
    guard let limit = program.limit else { return }
    while rows.count > limit, let oldest = oldest(besides: newcomer) { remove(oldest, "beyondLimit") }
  }

  /// Gives up the rows that had no event since the ninth last look, the oldest first.
  func sweep() {
    guard !hasEnded else { return }
    marks.append(lastStamp)
    guard marks.count > 8 else { return }
    let mark = marks.removeFirst()
    let idle = rows.filter { $0.value.stamp <= mark && mayGo($0.key) }.sorted { $0.value.stamp < $1.value.stamp }
    for (key, _) in idle { remove(key, "idle") }
  }
}
