import Aggregate
import Observation
import RASPObservation
import RASPValues
import Streams

// "A form" of the article "Programs by task".

struct Profile: AggregateState, Equatable {
  var name = ""
  var email = ""

  mutating func apply(_ event: ProfileEvent) throws(ProfileError) {
    switch event {
    case .name(let name):
      guard name.count <= 20 else { throw .tooLong }
      self.name = name
    case .email(let email):
      guard email.contains("@") else { throw .noAddress }
      self.email = email
    }
  }
}

enum ProfileEvent: Sendable, Equatable { case name(String), email(String) }

enum ProfileError: Error { case tooLong, noAddress }

@MainActor
@Observable
final class ProfileModel {
  let form: Observed<Undoable<Profile>>
  private(set) var problem: ProfileError?
  @ObservationIgnored private var tokens: [Subscription] = []

  init() {
    let profile = Aggregator(initial: Undoable(Profile()))
    form = Observed(profile)
    tokens = [
      profile.rejections.receive(on: MainActor.shared).subscribe { [weak self] in self?.problem = $0.reason },
      profile.transitions(of: \.present.email).subscribe { print($0.old, "→", $0.new, "by", $0.event) },
    ]
  }

  func edit(email: String) {
    problem = nil
    form.send(.change(.email(email)))
  }
}
