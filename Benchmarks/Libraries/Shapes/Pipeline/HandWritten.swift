import Synchronization

/// The limit: one lock around the fold and three compares, with the observers called where the change is seen, under
/// the lock. It keeps few of the promises of the contract: an observer that sends deadlocks.
final class HandWrittenPipeline: NavigationPipeline, Sendable {
  private struct Contents {
    var state = NavigationState()
    var heading = 0
    var speed = 0.0
    var satellites: Int?
  }

  private let contents = Mutex(Contents())
  private let tally: Tally

  init(_ tally: Tally) {
    self.tally = tally
  }

  @inline(never)
  func send(heading: Int) { receive(.heading(heading)) }

  @inline(never)
  func send(speed: Double) { receive(.speed(speed)) }

  @inline(__always)
  private func receive(_ event: NavigationEvent) {
    contents.withLock { contents in
      contents.state.apply(event)
      if contents.state.heading != contents.heading {
        contents.heading = contents.state.heading
        tally.increment()
      }
      if contents.state.speed != contents.speed {
        contents.speed = contents.state.speed
        tally.increment()
      }
      if contents.state.satellites != contents.satellites {
        contents.satellites = contents.state.satellites
        tally.increment()
      }
    }
  }
}

extension Shape {
  /// The pipeline as a hand-written lock around a fold and three compares.
  static let handWrittenPipeline = navigation(
    events: 200_000,
    HandWrittenPipeline.self,
    initialDeliveries: 0...0
  )
}
