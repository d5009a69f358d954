// What a user of Combine, Rx or AsyncAlgorithms writes first, and what the compiler answers. `.ci/run` has the compiler
// check that it refuses each line with the message that stands beside it, and nothing else.

import Streams

func otherNames(numbers: Observable<Int, Never>, subject: Subject<Int, Never>) async {
  // expected-error@+1 {{'removeDuplicates()' has been renamed to 'distinctUntilChanged()'}}
  _ = numbers.removeDuplicates()
  // expected-error@+1 {{'removeDuplicates(by:)' has been renamed to 'distinctUntilChanged(by:)'}}
  _ = numbers.removeDuplicates { $0 == $1 }
  // expected-error@+1 {{'removeDuplicates(by:)' has been renamed to 'distinctUntilChanged(by:)'}}
  _ = numbers.removeDuplicates(by: ==)
  // expected-error@+1 {{'take' has been renamed to 'prefix(_:)'}}
  _ = numbers.take(3)
  // expected-error@+1 {{write 'map { … }.merge()'}}
  _ = numbers.flatMap { Observable([$0]) }
  // expected-error@+1 {{write 'map { … }.switchToLatest()'}}
  _ = numbers.flatMapLatest { Observable([$0]) }
  // expected-error@+1 {{write 'map { … }.switchToLatest()'}}
  _ = numbers.switchMap { Observable([$0]) }
  // expected-error@+1 {{write 'map { … }.concat()'}}
  _ = numbers.concatMap { Observable([$0]) }
  // expected-error@+1 {{'withLatestFrom' has been renamed to 'withLatest(from:)'}}
  _ = numbers.withLatestFrom(numbers)
  // expected-error@+1 {{'startWith' has been renamed to 'prepend(_:)'}}
  _ = numbers.startWith(1)
  // expected-error@+1 {{'skip' has been renamed to 'dropFirst(_:)'}}
  _ = numbers.skip(1)
  // expected-error@+1 {{write 'map', whose closure may throw the stream's failure}}
  _ = numbers.tryMap { $0 + 1 }
  // expected-error@+1 {{'observe(on:)' has been renamed to 'receive(on:)'}}
  _ = numbers.observe(on: MainActor.shared)
  // expected-error@+1 {{'receive(on:)' says where its values are delivered}}
  _ = numbers.subscribe(on: MainActor.shared)
  // expected-error@+1 {{write 'subscribe { … }'}}
  _ = numbers.sink { print($0) }
  // expected-error@+1 {{write 'subscribe { … } onEnd: { … }'}}
  _ = numbers.sink {
    print($0)
  } receiveValue: {
    print($0)
  }
  // expected-error@+1 {{leave it out; 'observable' is the stream itself}}
  _ = numbers.map { $0 + 1 }.eraseToAnyPublisher()
  // expected-error@+1 {{leave it out; 'observable' is the stream itself}}
  _ = numbers.map { $0 + 1 }.asObservable()
  // expected-error@+1 {{write 'values(buffering:)'}}
  for await number in numbers.values { print(number) }
  // expected-error@+1 {{leave it out; 'observable' is the stream itself}}
  _ = subject.eraseToAnyPublisher()
  // expected-error@+1 {{leave it out; 'observable' is the stream itself}}
  _ = subject.asObservable()
  // expected-error@+1 {{'removeDuplicates()' has been renamed to 'distinctUntilChanged()'}}
  _ = subject.removeDuplicates()
  // expected-error@+1 {{write 'subscribe { … }'}}
  _ = subject.sink { print($0) }
}

/// What is right stays right: an unavailable declaration must not make a call of its neighbour ambiguous.
func ownNames(numbers: Observable<Int, Never>) async -> [Subscription] {
  for await number in numbers.values(buffering: .unbounded) { print(number) }
  return [
    numbers.subscribe { print($0) },
    numbers.subscribe({ print($0) }, onEnd: { print($0) }),
  ]
}
