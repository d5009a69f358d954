import Streams
import TestSupport
import Testing

/// An operator that leaves a stream of values that all differ as it is, so that one test can be run over all of them.
///
/// `probe` is called wherever the operator calls a closure of the user.
struct Operator: Sendable, CustomTestStringConvertible {
  typealias Stream = Observable<Int, TestError>
  typealias Probe = @Sendable () -> Void

  let testDescription: String
  private let body: @Sendable (Stream, @escaping Probe) -> Stream

  init(_ name: String, _ body: @escaping @Sendable (Stream, @escaping Probe) -> Stream) {
    testDescription = name
    self.body = body
  }

  func apply(to stream: Stream, probe: @escaping Probe = {}) -> Stream {
    body(stream, probe)
  }

  /// A stream of one value.
  static func just(_ value: Int) -> Stream {
    Observable([value]).setFailureType(to: TestError.self)
  }

  /// Operators that call a closure of the user for each value.
  static let withClosures: [Operator] = [
    Operator("map") { stream, probe in
      stream.map { value in
        probe()
        return value
      }
    },
    Operator("compactMap") { stream, probe in
      stream.compactMap { value in
        probe()
        return value
      }
    },
    Operator("filter") { stream, probe in
      stream.filter { _ in
        probe()
        return true
      }
    },
    Operator("scan") { stream, probe in
      stream.scan(0) { _, value in
        probe()
        return value
      }
    },
    Operator("scan(into:)") { stream, probe in
      stream.scan(into: 0) { result, value in
        probe()
        result = value
      }
    },
    Operator("distinctUntilChanged(by:)") { stream, probe in
      stream.distinctUntilChanged { old, new in
        probe()
        return old == new
      }
    },
    Operator("distinctUntilChanged, Equatable of the user") { stream, probe in
      stream.map { Probed(value: $0, probe: probe) }.distinctUntilChanged().map(\.value)
    },
    Operator("distinctUntilChanged, key path of the user") { stream, probe in
      stream.map { Probed(value: $0, probe: probe) }.distinctUntilChanged(by: \.key).map(\.value)
    },
    Operator("map and switchToLatest") { stream, probe in
      stream.map { value in just(value).map { probed($0, probe) } }.switchToLatest()
    },
    Operator("map and merge of streams") { stream, probe in
      stream.map { value in just(value).map { probed($0, probe) } }.merge()
    },
    Operator("merge of two, then map") { stream, probe in
      Observable.merge(stream, Observable { $0.onTermination {} }).map { probed($0, probe) }
    },
    Operator("made by hand around a subscription") { stream, probe in
      Observable { producer in
        let subscription = stream.subscribe { value in
          probe()
          producer.send(value)
        } onEnd: { end in
          switch end {
          case .finished: producer.finish()
          case .failed(let error): producer.fail(error)
          }
        }
        producer.onTermination { subscription.cancel() }
      }
    },
  ]

  /// Operators that call no closure but that of the next one.
  static let withoutClosures: [Operator] = [
    Operator("nothing") { stream, _ in stream },
    Operator("distinctUntilChanged") { stream, _ in stream.distinctUntilChanged() },
    Operator("distinctUntilChanged by a key path") { stream, _ in stream.distinctUntilChanged(by: \.self) },
    Operator("prefix") { stream, _ in stream.prefix(.max) },
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
    Operator("two merges in a row") { stream, _ in .merge(.merge(stream)) },
    Operator("everything in a row") { stream, _ in
      Observable.merge(
        stream.map { $0 }.filter { _ in true }.scan(0) { $1 }.distinctUntilChanged().prefix(.max)
      )
      .map { just($0) }.switchToLatest()
      .map { just($0) }.merge()
      .compactMap { $0 }
    },
  ]

  static let all = withoutClosures + withClosures

  private static func probed(_ value: Int, _ probe: Probe) -> Int {
    probe()
    return value
  }
}

/// A value whose comparison and key are code of the user.
private struct Probed: Equatable, Sendable {
  let value: Int
  let probe: @Sendable () -> Void

  var key: Int {
    probe()
    return value
  }

  static func == (lhs: Probed, rhs: Probed) -> Bool {
    lhs.probe()
    return lhs.value == rhs.value
  }
}
