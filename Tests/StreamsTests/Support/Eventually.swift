/// Whether `condition` comes true while other tasks and threads get their turns: only for what cannot be awaited.
///
/// Bounded, so that what never comes is a test that fails, and not one that hangs.
func eventually(
  atMost patience: Duration = .seconds(600),
  isolation: isolated (any Actor)? = #isolation,
  _ condition: () -> Bool
) async -> Bool {
  let start = ContinuousClock.now
  while !condition() {
    if ContinuousClock.now - start > patience { return condition() }
    await Task.yield()
  }
  return true
}
