import Streams

extension Shape {
  /// A task that reads every value of a subject while another one sends.
  static let reader = Shape("reader", events: 50_000) { events in
    let subject = Subject<Int, Never>()
    let readiness = Readiness()
    let values = subject.observable.values(buffering: .unbounded)
    let reader = Task {
      // An iterator is a subscription, made here.
      var iterator = values.makeAsyncIterator()
      readiness.signal()
      var count = 0
      while await iterator.next() != nil { count += 1 }
      return count
    }
    await readiness.wait(for: 1)
    return Run {
      for event in 0..<events { subject.send(event) }
      subject.finish()
      _ = await reader.value
    } proofs: {
      [Proof("values read", await reader.value, is: events)]
    }
  }

  /// The same with AsyncStream.
  static let asyncStreamReader = Shape("reader-asyncstream", events: 50_000) { events in
    let (values, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .unbounded)
    let readiness = Readiness()
    let reader = Task {
      var iterator = values.makeAsyncIterator()
      readiness.signal()
      var count = 0
      while await iterator.next() != nil { count += 1 }
      return count
    }
    await readiness.wait(for: 1)
    return Run {
      for event in 0..<events { continuation.yield(event) }
      continuation.finish()
      _ = await reader.value
    } proofs: {
      [Proof("values read", await reader.value, is: events)]
    }
  }
}
