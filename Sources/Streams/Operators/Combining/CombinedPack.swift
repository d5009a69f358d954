/// A value of one of any number of inputs, or the newest values of all of them.
///
/// It is what ``CombinedRow`` is for a few, but nothing of it is specialised, because all of it is loops over a pack.
struct CombinedPack<each Value: Sendable>: CombinedRow {
  private var values: (repeat (each Value)?)

  init() {
    values = (repeat Optional<each Value>.none)
  }

  /// Makes the value of the input at `position`, which has that type.
  init<One: Sendable>(_ value: One, at position: Int) {
    var next = 0
    func take<Other: Sendable>(_ type: Other.Type) -> Other? {
      defer { next += 1 }
      return next == position ? value as? Other : nil
    }
    values = (repeat take((each Value).self))
    assert(position < next, "There is no input of that number.")
  }

  mutating func keep(_ newer: CombinedPack) {
    values = (repeat newest(each newer.values, each values))
  }

  /// The compiler cannot pass a tuple of a pack through the stage, so the tuple is made behind it.
  var all: CombinedPack? {
    for value in repeat each values {
      if value == nil { return nil }
    }
    return self
  }

  func hasValue(of input: Int) -> Bool {
    var next = 0
    for value in repeat each values {
      if next == input { return value != nil }
      next += 1
    }
    return false
  }

  /// All values. Each input must have one.
  var tuple: (repeat each Value) {
    (repeat (each values).unsafelyUnwrapped)
  }

  private func newest<One: Sendable>(_ newer: One?, _ older: One?) -> One? {
    newer ?? older
  }
}

/// The streams that are combined.
///
/// It is a class, because two closures cannot capture one pack, and an expression in a closure cannot name its types.
final class CombinedStreams<Failure: Error, each Value: Sendable>: Sendable {
  typealias Machine = CombineLatestMachine<CombinedPack<repeat each Value>, Failure>

  private let streams: (repeat Observable<each Value, Failure>)
  let count: Int

  init(_ streams: repeat Observable<each Value, Failure>) {
    self.streams = (repeat each streams)
    var count = 0
    for _ in repeat (each Value).self { count += 1 }
    self.count = count
  }

  var combined: Observable<(repeat each Value), Failure> {
    Observable(attach: { self.attach($0) })
  }

  private func attach(_ observer: Observer<(repeat each Value), Failure>) {
    if count == 0 { return observer.end(.finished) }
    let newest: Observer<CombinedPack<repeat each Value>, Failure> = observer.upstream { observer.send($0.tuple) }
    attach(to: Stage(Machine(count: count), on: nil, inputs: count, into: newest))
  }

  private func attach(to stage: Stage<Machine>) {
    var next = 0
    for stream in repeat each streams {
      attach(stream, as: next, to: stage)
      next += 1
    }
  }

  private func attach<One: Sendable>(_ stream: Observable<One, Failure>, as input: Int, to stage: Stage<Machine>) {
    stage.attach(stream, as: input) { Self.value($0, of: input) }
  }

  private static func value<One: Sendable>(_ value: One, of input: Int) -> CombinedPack<repeat each Value> {
    CombinedPack(value, at: input)
  }
}
