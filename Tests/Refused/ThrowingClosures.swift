// Closures that throw on streams that cannot fail, and what the compiler answers. `.ci/run` has the compiler check that
// it refuses each line with the message that stands beside it, and nothing else.

import Aggregate
import Streams

struct Unreadable: Error {}

func parse(_ number: Int) throws -> Int { number }
func strictly(_ number: Int) throws(Unreadable) -> Int { number }

struct Counter: AggregateState {
  var count = 0

  mutating func apply(_ step: Int) { count += step }
}

func throwing(numbers: Observable<Int, Never>, subject: Subject<Int, Never>, counter: Aggregator<Counter>) {
  // expected-error@+1 {{this stream cannot fail: call 'setFailureType(to:)' first}}
  _ = numbers.map { try parse($0) }
  // expected-error@+1 {{this stream cannot fail: call 'setFailureType(to:)' first}}
  _ = numbers.map(parse)
  // expected-error@+1 {{this stream cannot fail: call 'setFailureType(to:)' first}}
  _ = numbers.map { (number) throws(Unreadable) in try strictly(number) }
  // expected-error@+1 {{this stream cannot fail: call 'setFailureType(to:)' first}}
  _ = numbers.map { number in
    guard number > 0 else { throw Unreadable() }
    return number
  }
  // expected-error@+1 {{this stream cannot fail: call 'setFailureType(to:)' or write 'try?'}}
  _ = numbers.compactMap { try parse($0) }
  // expected-error@+1 {{this stream cannot fail: call 'setFailureType(to:)' first}}
  _ = numbers.filter { try parse($0) > 0 }
  // expected-error@+1 {{this stream cannot fail: call 'setFailureType(to:)' first}}
  _ = numbers.prefix { try parse($0) > 0 }
  // expected-error@+1 {{this stream cannot fail: call 'setFailureType(to:)' first}}
  _ = numbers.scan(0) { try $0 + parse($1) }
  // expected-error@+1 {{this stream cannot fail: call 'setFailureType(to:)' first}}
  _ = numbers.scan(into: 0) { $0 += try parse($1) }
  // expected-error@+1 {{this stream cannot fail: call 'setFailureType(to:)' first}}
  _ = subject.map { try parse($0) }
  // expected-error@+1 {{this stream cannot fail: call 'setFailureType(to:)' first}}
  _ = counter.select(\.count).map { try parse($0) }
  // expected-error@+1 {{this stream cannot fail: call 'setFailureType(to:)' with the type of the failure first}}
  _ = numbers.timeout(after: .seconds(1), failure: Unreadable())
  // expected-error@+1 {{this stream cannot fail: call 'setFailureType(to:)' with the type of the failure first}}
  _ = subject.timeout(after: .seconds(1), failure: Unreadable()).retry(3).map { $0 + 1 }
}

/// What is right stays right.
func notThrowing(numbers: Observable<Int, Never>, readings: Observable<Int, any Error>, counter: Aggregator<Counter>) {
  _ = numbers.map { $0 + 1 }.compactMap { Int?($0) }.filter { $0 > 1 }.prefix { $0 < 9 }.scan(0) { $0 + $1 }
  _ = numbers.compactMap { try? parse($0) }
  _ = numbers.setFailureType(to: (any Error).self).map { try parse($0) }
  _ = numbers.setFailureType(to: Unreadable.self).map { (number) throws(Unreadable) in try strictly(number) }
  _ = readings.map { try parse($0) }.map { $0 + 1 }
  _ = numbers.setFailureType(to: Unreadable.self).timeout(after: .seconds(1), failure: Unreadable()).map { $0 + 1 }
  _ = readings.timeout(after: .seconds(1), failure: Unreadable()).map { $0 + 1 }
  _ = Observable.task(failingWith: Unreadable.self) { () throws(Unreadable) in try strictly(1) }.map { $0 + 1 }
  let _: Observable<Int, Never> = counter.select(\.count).map { $0 * 2 }
}
