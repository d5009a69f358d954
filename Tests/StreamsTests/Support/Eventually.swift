/// Whether `condition` comes true while other tasks get their turns: only for what cannot be awaited.
func eventually(
  isolation: isolated (any Actor)? = #isolation,
  _ condition: () -> Bool
) async -> Bool {
  for _ in 0..<1_000_000 {
    if condition() { return true }
    await Task.yield()
  }
  return condition()
}
