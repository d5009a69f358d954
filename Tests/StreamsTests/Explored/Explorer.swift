/// A small world of threads, each of which makes one step at a time: what ``explore(_:)`` walks through.
///
/// A step is what other threads see at once: one atomic operation, or what happens under one lock. Values between two
/// steps, and the instruction a thread has come to, are part of the world, so that two equal worlds have one future.
protocol World: Hashable {
  /// The worlds that one step of each thread leads to. None if all threads wait, or are done.
  func nexts() -> [Self]

  /// What is wrong in this world; `nil` if nothing is.
  var fault: String? { get }

  /// What is wrong if no thread can make a step; `nil` if nothing is.
  var faultAtEnd: String? { get }
}

/// Walks through every world that can be reached, each once.
///
/// - Returns: the number of worlds, and what was found to be wrong first.
func explore<Start: World>(_ start: Start) -> (count: Int, fault: String?) {
  var known: Set<Start> = [start]
  var open = [start]
  while let world = open.popLast() {
    if let fault = world.fault { return (known.count, fault) }
    let nexts = world.nexts()
    if nexts.isEmpty, let fault = world.faultAtEnd { return (known.count, fault) }
    for next in nexts where known.insert(next).inserted { open.append(next) }
  }
  return (known.count, nil)
}
