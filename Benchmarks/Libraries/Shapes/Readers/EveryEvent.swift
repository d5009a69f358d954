import Streams

extension Shape {
  /// A task that reads every value of a subject while another one sends.
  static let reader = reading {
    let subject = Subject<Int, Never>()
    return (subject.values(buffering: .unbounded), { subject.send($0) }, { subject.finish() })
  }

  /// The same with AsyncStream.
  static let asyncStreamReader = reading {
    let (values, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .unbounded)
    return (values, { continuation.yield($0) }, { continuation.finish() })
  }

  /// - Parameter open: what is read, what sends, and what ends it.
  private static func reading<Values: AsyncSequence<Int, Never> & Sendable>(
    _ open: @escaping @Sendable () -> (values: Values, send: (Int) -> Void, finish: () -> Void)
  ) -> Shape {
    Shape(events: 50_000) { events in
      let (values, send, finish) = open()
      let readiness = Readiness()
      let reader = readiness.read(values, into: 0) { count, _ in count += 1 }
      await readiness.wait(for: 1)
      return Run {
        for event in 0..<events { send(event) }
        finish()
        _ = await reader.value
      } proofs: {
        [Proof("values read", await reader.value, is: events)]
      }
    }
  }
}
