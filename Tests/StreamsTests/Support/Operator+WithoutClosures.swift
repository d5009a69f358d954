import RASPTesting
import Streams
import TestSupport

extension Operator {
  /// Operators that call no closure but that of the next one.
  static let withoutClosures: [Operator] = [
    Operator("nothing") { stream, _ in stream },
    Operator("distinctUntilChanged") { stream, _ in stream.distinctUntilChanged() },
    Operator("distinctUntilChanged by a key path") { stream, _ in stream.distinctUntilChanged(by: \.self) },
    Operator("prefix") { stream, _ in stream.prefix(.max) },
    Operator("prepend, then dropFirst") { stream, _ in stream.prepend(-1).dropFirst() },
    Operator("prefix(until:)") { stream, _ in stream.prefix(until: Observable<Void, Never>.never) },
    Operator("timestamped") { stream, _ in stream.timestamped(on: VirtualScheduler()).map(\.value) },
    Operator("deferred") { stream, _ in .deferred { stream } },
    Operator("share") { stream, _ in stream.share() },
    Operator("share(replaying:)") { stream, _ in stream.share(replaying: 1) },
    Operator("buffer(count:)") { stream, _ in stream.buffer(count: 1).compactMap(\.first) },
    Operator("buffer(count:every:)") { stream, _ in
      stream.buffer(count: 1, every: .seconds(1), on: VirtualScheduler()).compactMap(\.first)
    },
    Operator("combineLatest of one") { stream, _ in Observable.combineLatest(stream) },
    // The stream comes last: one of another thread may send before the others are subscribed to.
    Operator("combineLatest with a value") { stream, _ in Observable.combineLatest(just(0), stream).map(\.1) },
    Operator("combineLatest of three") { stream, _ in
      Observable.combineLatest(just(0), just(1), stream).map(\.2)
    },
    Operator("withLatest(from:) a value") { stream, _ in stream.withLatest(from: just(0)).map(\.0) },
    Operator("mapError") { stream, _ in stream.mapError { $0 } },
    Operator("catch that fails again") { stream, _ in stream.catch { .fail($0) } },
    Operator("retry without a try") { stream, _ in stream.retry(0) },
    Operator("retry of what is not transient") { stream, _ in stream.retry(.none) { _ in false } },
    Operator("concat behind a finished stream") { stream, _ in .concat(.empty, stream, .empty) },
    Operator("concat of a stream of streams") { stream, _ in
      Observable([stream]).setFailureType(to: TestError.self).concat()
    },
    Operator("merge of one") { stream, _ in .merge(stream) },
    Operator("merge with a finished stream") { stream, _ in
      .merge(Observable([]).setFailureType(to: TestError.self), stream)
    },
    Operator("merge of a stream of streams") { stream, _ in
      Observable([stream]).setFailureType(to: TestError.self).merge()
    },
    Operator("switchToLatest of one stream") { stream, _ in
      Observable([stream]).setFailureType(to: TestError.self).switchToLatest()
    },
    Operator("two merges in a row") { stream, _ in .merge(Observable.merge(stream)) },
    Operator("everything in a row") { stream, _ in
      Observable.merge(
        stream.map { $0 }.filter { _ in true }.scan(0) { $1 }.distinctUntilChanged().prefix(.max)
      )
      .map { just($0) }.switchToLatest()
      .map { just($0) }.merge()
      .compactMap { $0 }
    },
  ]
}
