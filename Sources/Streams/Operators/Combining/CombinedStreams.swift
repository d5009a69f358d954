/// The streams that are combined.
///
/// It is a class, because two closures cannot capture one pack, and an expression in a closure cannot name its types.
final class CombinedStreams<Failure: Error, each Value: Sendable>: Sendable {
  typealias Row = CombinedPack<repeat each Value>
  typealias Machine = CombineLatestMachine<Row, Failure>

  private let streams: (repeat Observable<each Value, Failure>)

  init(_ streams: repeat Observable<each Value, Failure>) {
    self.streams = (repeat each streams)
  }

  var combined: Observable<(repeat each Value), Failure> {
    Observable(attach: { self.attach($0) })
  }

  private func attach(_ observer: Observer<(repeat each Value), Failure>) {
    if Row.inputCount == 0 { return observer.end(.finished) }
    let newest: Observer<Row, Failure> = observer.upstream { observer.send($0.tuple) }
    attach(to: Stage(Machine(), on: nil, inputs: Row.inputCount, into: newest))
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

  private static func value<One: Sendable>(_ value: One, of input: Int) -> Row {
    Row(value, at: input)
  }
}
