// What the blocks of the article about many things of one kind use and do not show.

import Streams

struct Archive: Sendable {
  func cents(of id: String) async -> Int { 0 }
}

let radio = Observable<MeterReading, Never>.never
let saved: [String: Meter] = [:]
let archive = Archive()
@Sendable func show(_ value: some Sendable) {}
