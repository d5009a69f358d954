// What the blocks of the article "States around a state" use and do not show.

import Aggregate

enum FormEvent: Sendable { case rename(String) }

struct FormState: AggregateState {
  var name = ""

  mutating func apply(_ event: FormEvent) {}
}

struct Server: Sendable {
  func rename(_ name: String) async throws {}
}

let server = Server()
