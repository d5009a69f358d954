// What the blocks of the README use and do not show. `.ci/blocks` has the compiler read them beside this file, outside
// of the package.

import Aggregate
import RASPCommands
import RASPServices
import Streams

struct Location: Sendable, Equatable {
  var latitude: Double
  var longitude: Double
}

struct ReceiverError: Error {
  init(_ reason: any Error) {}
}

let compass = Observable<Double, Never>.never
let receiver = Observable<Location, any Error>.never
let sightings = AsyncStream<Location> { nil }
let recording = Observable<GeoEvent, Never>.never
let simulation: @Sendable (ReceiverError) -> Observable<Location, Never> = { _ in .never }
let geo = Aggregator(initial: GeoState())

struct Identity: Sendable {
  var name: String?
}

enum IdentityAction: Action {
  case login(String)
  case logout
}

enum ErrorAction: Action {
  case failed(String)
}

let pushes = AsyncStream<IdentityAction> { nil }

struct BookList: Command, Action {
  typealias Output = [String]
}

struct BookListHandler: CommandHandler {
  func handle(_ command: BookList, publish: Publisher<BookList>) async throws -> [String] { [] }
}

enum ShelfAction: Action {
  case fill([String])
}

struct Logout: Command {
  typealias Output = Void
}

let engine = Engine()
