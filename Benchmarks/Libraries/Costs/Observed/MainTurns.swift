/// Makes a row whose work belongs to the main actor. Rows that need no other thread run on the first one.
func onMainActor(_ make: @MainActor () -> @MainActor (Int) -> Void) -> @Sendable (Int) -> Void {
  MainActor.assumeIsolated {
    let work = make()
    let repeated: @Sendable (Int) -> Void = { count in MainActor.assumeIsolated { work(count) } }
    return repeated
  }
}

/// Runs what waits for the main actor. A run loop does it with this function of Dispatch; a run loop itself would cost
/// more than what is measured.
@_silgen_name("_dispatch_main_queue_callback_4CF")
private func drainMainQueue(_ message: UnsafeRawPointer?)

/// Lets the main actor take its turns.
@MainActor
func takeTurns() {
  drainMainQueue(nil)
}
