import Streams
import TestSupport

/// An operator with two inputs, so that one test can be run over all of them.
enum Combination: CaseIterable {
  case combineLatest
  case withLatest
  case prefixUntil
  case sampleOn
  case concat
  case merge

  typealias Stream = Observable<Int, TestError>

  /// Those that may leave values of the first input out.
  static let leavingOut = [prefixUntil, sampleOn]

  /// The values of the first input, in its order; of a merge, those of the second one, too.
  func apply(_ first: Stream, _ second: Stream) -> Stream {
    switch self {
    case .combineLatest: Observable.combineLatest(first, second).map(\.0)
    case .withLatest: first.withLatest(from: second).map(\.0)
    case .prefixUntil: first.prefix(until: second.catch { _ in .empty })
    case .sampleOn: first.sample(on: second.catch { _ in .empty })
    case .concat: .concat(first, second)
    case .merge: .merge(first, second)
    }
  }
}
