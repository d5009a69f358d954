extension RandomRows.Model {
  private func mayGo(_ key: Int) -> Bool {
    program.includesObserved || !admitted.contains { $0.key == key }
  }

  /// Gives up the oldest rows as long as there are too many that may go.
  func evict() {
    guard let limit = program.limit else { return }
    let old = rows.filter { mayGo($0.key) }.sorted { $0.value.stamp < $1.value.stamp }
    for (key, _) in old.dropLast(limit) { remove(key, "beyondLimit") }
  }

  /// A row that may go again is the newest one.
  func renew(_ key: Int) {
    guard rows[key] != nil, !program.includesObserved, mayGo(key) else { return }
    lastStamp += 1
    rows[key]?.stamp = lastStamp
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
