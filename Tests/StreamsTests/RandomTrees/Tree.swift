import TestSupport

/// A random program: an operator and its inputs, or a source.
struct Tree: Sendable {
  /// What a source does, at an instant after the subscription.
  struct Step: Sendable {
    let after: Int
    let event: Event
  }

  enum Event: Hashable, Sendable {
    case value(Int)
    case finish
    case fail(Int)
  }

  enum Recovery: Sendable {
    case value, never
  }

  /// All times are in nanoseconds. They are so many that two never meet by chance.
  enum Kind: Sendable {
    // Sources
    case values([Int]), empty, never, fail(Int), cold([Step]), hot(Int), timer(Int), interval(Int)
    // One input
    case map, compactMap, filter, scan, scanInto, distinct, prefix(Int), prefixWhile, dropFirst(Int), prepend([Int])
    case handleEvents, deferred, mapError, share(Int), timestamped
    case retry(Int, delay: Int), retryPolicy(Int, delay: Int, Recovery)
    case throttle(Int, latest: Bool), debounce(Int), delay(Int), timeout(Int), sampleEvery(Int)
    case bufferCount(Int), bufferEvery(Int), bufferBoth(Int, Int)
    // Two or three
    case merge, concat, combineLatest, withLatest, prefixUntil, sampleOn, catching
    // The first input chooses among the others.
    case mergeStreams, latest, concatStreams
  }

  let id: Int
  let kind: Kind
  let inputs: [Tree]
}

extension Tree.Kind {
  /// The number of inputs that a random program gives it.
  fileprivate func inputCount(_ numbers: inout SplitMix) -> Int {
    switch self {
    case .values, .empty, .never, .fail, .cold, .hot, .timer, .interval: 0
    case .merge, .concat, .combineLatest: Int.random(in: 2...3, using: &numbers)
    case .withLatest, .prefixUntil, .sampleOn, .catching: 2
    case .mergeStreams, .latest, .concatStreams: 3
    default: 1
    }
  }
}

/// A tree, the subjects that it may subscribe to, and the instant at which it is cancelled.
struct RandomTree: Sendable {
  static let end = 4_000_000

  private(set) var root = Tree(id: 0, kind: .empty, inputs: [])
  private(set) var hot: [(at: Int, subject: Int, event: Tree.Event)] = []
  private(set) var cancelAt: Int

  init(seed: UInt64) {
    var numbers = SplitMix(seed: seed)
    cancelAt = Bool.random(using: &numbers) ? Self.end : Int.random(in: 1..<Self.end, using: &numbers)
    for _ in 0..<Int.random(in: 0...12, using: &numbers) {
      let event = Self.event(&numbers)
      hot.append((Self.time(&numbers), Int.random(in: 0...1, using: &numbers), event))
    }
    var count = 0
    root = Self.tree(Int.random(in: 1...4, using: &numbers), &count, &numbers)
  }

  private static func time(_ numbers: inout SplitMix) -> Int { Int.random(in: 50_000...1_500_000, using: &numbers) }

  private static func event(_ numbers: inout SplitMix) -> Tree.Event {
    switch Int.random(in: 0..<12, using: &numbers) {
    case 0: .finish
    case 1: .fail(Int.random(in: 1...5, using: &numbers))
    default: .value(Int.random(in: 0..<20, using: &numbers))
    }
  }

  private static func tree(_ depth: Int, _ count: inout Int, _ numbers: inout SplitMix) -> Tree {
    count += 1
    let id = count
    let kind = depth == 0 ? source(&numbers) : node(&numbers)
    var inputs: [Tree] = []
    for _ in 0..<kind.inputCount(&numbers) { inputs.append(tree(depth - 1, &count, &numbers)) }
    return Tree(id: id, kind: kind, inputs: inputs)
  }

  private static func source(_ numbers: inout SplitMix) -> Tree.Kind {
    switch Int.random(in: 0..<14, using: &numbers) {
    case 0, 1:
      return .values((0..<Int.random(in: 0...4, using: &numbers)).map { _ in Int.random(in: 0..<20, using: &numbers) })
    case 2: return .empty
    case 3: return .never
    case 4: return .fail(Int.random(in: 1...5, using: &numbers))
    case 5: return .timer(time(&numbers))
    case 6: return .interval(time(&numbers))
    case 7, 8, 9: return .hot(Int.random(in: 0...1, using: &numbers))
    default:
      var steps: [Tree.Step] = []
      var after = 0
      for _ in 0..<Int.random(in: 1...6, using: &numbers) {
        // Sometimes several things happen at one instant, or at once.
        if Int.random(in: 0..<4, using: &numbers) > 0 { after += time(&numbers) / 3 }
        let event = event(&numbers)
        steps.append(Tree.Step(after: after, event: event))
        guard case .value = event else { break }
      }
      return .cold(steps)
    }
  }

  private static func node(_ numbers: inout SplitMix) -> Tree.Kind {
    let small = Int.random(in: 0...3, using: &numbers)
    let time = time(&numbers) / 2
    switch Int.random(in: 0..<40, using: &numbers) {
    case 0: return .map
    case 1: return .compactMap
    case 2: return .filter
    case 3: return .scan
    case 4: return .scanInto
    case 5: return .distinct
    case 6: return .prefix(small)
    case 7: return .prefixWhile
    case 8: return .dropFirst(small)
    case 9: return .prepend(Array(0..<small))
    case 10: return .handleEvents
    case 11: return .deferred
    case 12: return .mapError
    case 13, 14: return .share(small)
    case 15: return .timestamped
    case 16: return .retry(small, delay: 0)
    case 17: return .retry(small, delay: time)
    case 18, 19: return .retryPolicy(small, delay: time, .value)
    case 20: return .retryPolicy(small, delay: time, .never)
    case 21: return .throttle(time, latest: small > 1)
    case 22: return .debounce(time)
    case 23: return .delay(time)
    case 24: return .timeout(time)
    case 25: return .sampleEvery(time)
    case 26: return .bufferCount(small)
    case 27: return .bufferEvery(time)
    case 28: return .bufferBoth(small, time)
    case 29: return .merge
    case 30: return .concat
    case 31, 32: return .combineLatest
    case 33: return .withLatest
    case 34: return .prefixUntil
    case 35: return .sampleOn
    case 36: return .catching
    case 37: return .mergeStreams
    case 38: return .latest
    default: return .concatStreams
    }
  }

  /// Makes one number of two.
  static func mix(_ first: Int, _ second: Int) -> Int { (first &* 31 &+ second &+ 7) % 1_000 }

  static func mix(_ values: [Int]) -> Int { values.reduce(values.count, mix) }
}

/// What was seen, and where, and when.
struct TreeRecord: Hashable, Comparable, Sendable {
  enum Event: Int, Sendable { case subscribed, over, value, finished, failed, cancelled }

  let place: Int
  let instant: Int
  let event: Event
  var value = 0

  static func < (lhs: TreeRecord, rhs: TreeRecord) -> Bool {
    (lhs.place, lhs.instant, lhs.event.rawValue, lhs.value) < (rhs.place, rhs.instant, rhs.event.rawValue, rhs.value)
  }
}
