import Streams

extension Shape {
  /// A task that reads every value of a subject while another one sends.
  static let reader = Shape("reader", events: 50_000) { events in
    let subject = Subject<Int, Never>()
    return await counting(subject.observable.values(buffering: .unbounded), events) {
      for event in 0..<events { subject.send(event) }
      subject.finish()
    }
  }

  /// The same with AsyncStream.
  static let asyncStreamReader = Shape("reader-asyncstream", events: 50_000) { events in
    let (values, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .unbounded)
    return await counting(values, events) {
      for event in 0..<events { continuation.yield(event) }
      continuation.finish()
    }
  }

  /// A run that sends and is over when a task has read everything.
  private static func counting<Values: AsyncSequence & Sendable>(
    _ values: Values,
    _ events: Int,
    send: @escaping () -> Void
  ) async -> Run where Values.Element == Int, Values.Failure == Never {
    let readiness = Readiness()
    let reader = Task {
      // An iterator is a subscription, made here.
      var iterator = values.makeAsyncIterator()
      readiness.signal()
      var count = 0
      while await iterator.next(isolation: nil) != nil { count += 1 }
      return count
    }
    await readiness.wait(for: 1)
    return Run {
      send()
      _ = await reader.value
    } proofs: {
      [Proof("values read", await reader.value, is: events)]
    }
  }
}
