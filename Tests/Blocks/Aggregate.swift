// What the blocks of the landing page of `Aggregate` use and do not show.

import Streams

struct Location: Sendable, Equatable {
  var latitude: Double
}

let compass = Observable<Double, Never>.never
let receiver = Observable<Location, any Error>.never
