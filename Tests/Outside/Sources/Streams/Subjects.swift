import Streams

/// Subjects, streams that are shared and joined of them, and observers that come, go, send and end inside of callbacks:
/// one order for all, nothing after a cancel, what a late one gets, and what is accepted.
struct Subjects: Sendable {
  let cast: Cast
  let subjects: [Subject<Int, Fault>]
  let streams: [Observable<Int, Fault>]

  static func run(_ numbers: Numbers, _ transcript: Transcript) async {
    let subjects: [Subject<Int, Fault>] = [Subject(), Subject(initial: 0), Subject(replaying: 2)]
    let inputs = subjects.map(\.observable)
    let (first, second, third) = (inputs[0], inputs[1], inputs[2])
    let pairs: Observable<(Int, Int), Fault> = Observable.combineLatest(first, second)
    let shared = [
      first.share(), second.map { $0 + 100 }.share(replaying: 1),
      third.scan(0) { Trees.mix($0, $1) }.share(replaying: 3),
      .merge(inputs).share(), pairs.map { Trees.mix($0.0, $0.1) }, first.map { inputs[1 + $0 % 2] }.switchToLatest(),
      third.concat(with: second), second.prefix(3).share(replaying: 2),
      first.filter { $0 % 2 == 0 }.merge(with: first.filter { $0 % 3 == 0 }),
    ]
    let program = Subjects(cast: Cast(numbers, transcript), subjects: subjects, streams: inputs + shared)
    program.cast.act.value = { program.act() }
    for _ in 0..<numbers.within(4...40) { program.act() }
    program.cast.cancelAll()
    transcript.note("observers: \(subjects.map(\.observerCount))")
  }

  private func act() {
    let numbers = cast.numbers
    let index = numbers.below(subjects.count)
    let subject = subjects[index]
    switch numbers.below(32) {
    case 0..<10:
      let value = numbers.below(30)
      cast.note("send \(value) to \(index): \(subject.send(value))")
    case 10, 11:
      let values = numbers.list(numbers.below(4)) { numbers.below(30) }
      cast.note("send \(values) to \(index): \(subject.send(contentsOf: values))")
    case 12..<22:
      let place = numbers.below(streams.count)
      cast.subscribe(streams[place], as: "stream \(place)")
    case 22..<28: cast.cancelAny()
    case 28 where numbers.once(in: 3): cast.note("finish \(index): \(subject.finish())")
    case 29 where numbers.once(in: 3): cast.note("finish \(index) now: \(subject.finish(droppingPending: true))")
    case 30 where numbers.once(in: 3): cast.note("fail \(index): \(subject.fail(Fault(code: index)))")
    default: cast.note("newest of \(index): \(subject.latest ?? -1)")
    }
  }
}
