extension Observable where Element == Never {
  /// Sends the newest values of several streams, whenever one of them sends.
  ///
  ///     first   a--b---|
  ///     second  -1---2---|
  ///     result  -A-B-C---|   combineLatest(first, second), where A is a and 1, B is b and 1, C is b and 2
  ///
  /// It takes any number of streams, with values of any types, and sends tuples. Nothing is sent before each stream has
  /// sent something.
  ///
  /// - Ordering: inputs are subscribed in the order given. A value of an input is sent with the newest values of the
  ///   others. Inputs that send at the same instant give a value each.
  /// - Completion: finishes when all inputs have finished. An input that finishes without a value finishes the result
  ///   at once, because nothing could be sent any more; without inputs, the result finishes at once, too.
  /// - Errors: the first failure of an input is the failure of the result, and all other inputs are cancelled.
  /// - Concurrency: inputs may send from any threads. A sender may return before its value is delivered, see
  ///   <doc:Contract>, rule 4.
  /// - Complexity: O(inputs) per value.
  public static func combineLatest<each Value: Sendable>(
    _ streams: repeat Observable<each Value, Failure>
  ) -> Observable<(repeat each Value), Failure> {
    CombinedStreams<Failure, repeat each Value>(repeat each streams).combined
  }

  /// Sends the newest values of two streams, as the function for any number of them does. With it the compiler knows the
  /// type of the tuple before it looks at the closure of the operator that follows.
  ///
  ///     first   a-b|
  ///     second  -1--|
  ///     result  -AB-|   combineLatest(first, second), where A is a and 1, B is b and 1
  ///
  /// - Complexity: O(1) per value.
  public static func combineLatest<First: Sendable, Second: Sendable>(
    _ first: Observable<First, Failure>,
    _ second: Observable<Second, Failure>
  ) -> Observable<(First, Second), Failure> {
    CombinedStreams<Failure, First, Second>(first, second).combined
  }

  /// Sends the newest values of three streams, as the function for any number of them does.
  ///
  ///     first   a-b|
  ///     second  -1--|
  ///     third   x---|
  ///     result  -AB-|   combineLatest(first, second, third), where A is a, 1 and x, B is b, 1 and x
  ///
  /// - Complexity: O(1) per value.
  public static func combineLatest<First: Sendable, Second: Sendable, Third: Sendable>(
    _ first: Observable<First, Failure>,
    _ second: Observable<Second, Failure>,
    _ third: Observable<Third, Failure>
  ) -> Observable<(First, Second, Third), Failure> {
    CombinedStreams<Failure, First, Second, Third>(first, second, third).combined
  }
}

/// The streams that are combined.
///
/// It is a class, because two closures cannot capture one pack, and an expression in a closure cannot name its types.
final class CombinedStreams<Failure: Error, each Value: Sendable>: Sendable {
  typealias Queue = DeliveryQueue<StageShell<CombineLatestMachine<Failure, repeat each Value>>>

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
    let inputs = StageInputs(of: observer.lifetime)
    let machine = CombineLatestMachine<Failure, repeat each Value>(count: count)
    // The compiler cannot pass a tuple of a pack through the shell, so the tuple is made behind it.
    let newest: Observer<CombinedInput<repeat each Value>, Failure> = observer.upstream { observer.send($0.all) }
    attach(to: DeliveryQueue(StageShell(machine, on: nil, into: newest, inputs)), inputs)
  }

  private func attach(to queue: Queue, _ inputs: StageInputs) {
    // All inputs are there before the first one is subscribed to, and it may end them all.
    let lifetimes = (0..<count).map { inputs.add($0) }
    var next = 0
    for stream in repeat each streams {
      attach(stream, as: next, lifetimes[next], to: queue)
      next += 1
    }
  }

  private func attach<One: Sendable>(
    _ stream: Observable<One, Failure>,
    as input: Int,
    _ lifetime: Lifetime,
    to queue: Queue
  ) {
    queue.attach(stream, as: input, lifetime) { Self.value($0, of: input) }
  }

  private static func value<One: Sendable>(_ value: One, of input: Int) -> CombinedInput<repeat each Value> {
    CombinedInput(value, at: input)
  }
}
