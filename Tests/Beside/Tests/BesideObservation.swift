import Observation
import Streams

@MainActor
@Observable
final class SpeedModel {
  private(set) var speed = 0.0
  @ObservationIgnored private var subscription: Subscription?

  func follow(_ speeds: Observable<Double, Never>) {
    subscription = speeds.receive(on: MainActor.shared).subscribe { [weak self] speed in self?.speed = speed }
  }
}

/// The type of a model, whichever it is.
func kind(of model: some Observation.Observable) -> String {
  "\(type(of: model))"
}
