// The changes of twelve fields, merged, with an operator each. `.ci/run` has the compiler check this file and refuses
// an expression whose types take more than a second. The type of the result is what makes it quick.

import Aggregate
import Streams

enum Change: Sendable {
  case number(Int)
  case text(String)
}

struct Form: AggregateState {
  var age = 0
  var size = 0
  var name = ""
  var street = ""

  mutating func apply(_ event: Int) { age = event }
}

func twelveFields(form: Aggregator<Form>) -> Observable<Change, Never> {
  Observable.merge(
    form.select(\.age).map(Change.number),
    form.select(\.size).map { Change.number($0 + 1) },
    form.select(\.name).map(Change.text),
    form.select(\.street).map { .text($0) },
    form.select(\.age).map(Change.number),
    form.select(\.size).map { Change.number($0 + 1) },
    form.select(\.name).map(Change.text),
    form.select(\.street).map { .text($0) },
    form.select(\.age).map(Change.number),
    form.select(\.size).map { Change.number($0 + 1) },
    form.select(\.name).map(Change.text),
    form.select(\.street).map { .text($0) }
  )
}
