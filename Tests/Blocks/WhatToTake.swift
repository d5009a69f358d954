// What the blocks of the article "What to take when" use and do not show.

import Streams

/// Switches the heating.
struct Relay: Sendable {
  func set(_ isOn: Bool) async throws {}
}

let relay = Relay()
let button = Subject<Bool, Never>()
let meter = Observable<Double, Never>.never
