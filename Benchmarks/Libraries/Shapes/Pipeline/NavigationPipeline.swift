/// A pipeline: two sources of different types at its entrance, three observers at its end, which live as long as it
/// does.
protocol NavigationPipeline: SendableMetatype {
  /// - Parameter tally: what the observers count with.
  init(_ tally: Tally) async

  func send(heading: Int)
  func send(speed: Double)

  /// Waits until everything that was sent has arrived, if it does not arrive inside `send`.
  func finish() async
}

extension NavigationPipeline {
  func finish() async {}

  /// Alternating events, each of which changes one of the fields.
  @inline(__always)
  func sendAlternately(_ events: Int) {
    for event in 1...events {
      if event & 1 == 0 { send(heading: event) } else { send(speed: Double(event)) }
    }
  }
}

extension Shape {
  /// The pipeline, written in one way or another.
  ///
  /// - Parameter initialDeliveries: how many deliveries there are beside one for each event.
  static func navigation<Pipeline: NavigationPipeline>(
    events: Int,
    _: Pipeline.Type,
    initialDeliveries: ClosedRange<Int>
  ) -> Shape {
    Shape(events: events) { events in
      let tally = Tally()
      let pipeline = await Pipeline(tally)
      return Run {
        pipeline.sendAlternately(events)
        await pipeline.finish()
      } proofs: {
        withExtendedLifetime(pipeline) {
          [Proof("deliveries beside one for each event", tally.count - events, isIn: initialDeliveries)]
        }
      }
    }
  }
}
