// What the blocks of the article about RxSwift use and do not show.

import Streams

struct Compass: Sendable {
  func register(_ callback: @escaping @Sendable (Double) -> Void) -> Int { 0 }
  func unregister(_ id: Int) {}
}

struct Server: Sendable {
  func search(_ query: String) async throws -> [String] { [] }
}

struct Spinner: Sendable {
  func show(_ isShown: Bool) {}
}

let server = Server()
let spinner = Spinner()
let bag = SubscriptionBag()
let time: any Scheduler = .continuous
