// Twelve sources that are written inline, with two operators each. `.ci/run` has the compiler check this file and
// refuses an expression whose types take more than a second.

import Streams

enum Input: Sendable {
  case number(Int)
  case text(String)
  case fraction(Double)
}

func twelveSources(
  numbers: Observable<Int, Never>,
  texts: Observable<String, Never>,
  fractions: Observable<Double, Never>
) -> Observable<Input, Never> {
  Observable.merge(
    numbers.map { $0 + 1 }.map(Input.number),
    texts.filter { !$0.isEmpty }.map(Input.text),
    fractions.map { $0 * 2 }.map(Input.fraction),
    numbers.filter { $0 > 3 }.map { Input.number($0) },
    texts.distinctUntilChanged().map { Input.text($0) },
    fractions.throttle(for: .seconds(1)).map { Input.fraction($0) },
    numbers.debounce(for: .milliseconds(300)).map { .number($0 * 2) },
    texts.prefix(3).map { .text($0 + "!") },
    fractions.dropFirst(2).map { .fraction($0 / 2) },
    Observable.interval(.seconds(1)).map { $0 % 60 }.map(Input.number),
    texts.compactMap { Double($0) }.map(Input.fraction),
    numbers.scan(0) { $0 + $1 }.map(Input.number)
  )
}
