import Streams

extension Operator {
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
    Operator("prefix(while:)") { stream, probe in
      stream.prefix { _ in
        probe()
        return true
      }
    },
    Operator("handleEvents") { stream, probe in stream.handleEvents(onValue: { _ in probe() }) },
    Operator("map and concat of streams") { stream, probe in
      stream.map { value in just(value).map { probed($0, probe) } }.concat()
    },
    Operator("combineLatest, then map") { stream, probe in
      // The stream comes last, as in the others of its kind.
      Observable.combineLatest(just(0), stream).map { probed($0.1, probe) }
    },
    Operator("withLatest(from:), then map") { stream, probe in
      stream.withLatest(from: just(0)).map { probed($0.0, probe) }
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
