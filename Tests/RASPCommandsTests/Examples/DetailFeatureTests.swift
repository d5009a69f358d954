import RASPCommands
import TestSupport
import Testing

private protocol DetailFeature: Sendable {
  associatedtype Model: Sendable & Equatable
  var resource: String { get }
  func model(_ text: String) throws -> Model
}

private struct DetailCommand<Feature: DetailFeature>: Command {
  typealias Output = Feature.Model
  let id: Int
}

private struct DetailCommandHandler<Feature: DetailFeature>: CommandHandler {
  let feature: Feature
  let fetch: @Sendable (String) async throws -> String

  func handle(
    _ command: DetailCommand<Feature>,
    publish: Publisher<DetailCommand<Feature>>
  ) async throws -> Feature.Model {
    publish(.progress)
    return try feature.model(await fetch("\(feature.resource)/\(command.id)"))
  }
}

private struct BookFeature: DetailFeature {
  let resource = "books"
  func model(_ text: String) throws -> String { text.uppercased() }
}

private struct AuthorFeature: DetailFeature {
  let resource = "authors"
  func model(_ text: String) throws -> Int { text.count }
}

@Suite("A generic detail feature")
struct DetailFeatureTests {
  @Test("a generic command is one command for each feature: its own handler, its own reactions, its own output")
  func features() async throws {
    let engine = Engine()
    try engine.use(DetailCommandHandler(feature: BookFeature()) { $0 })
    try engine.use(DetailCommandHandler(feature: AuthorFeature()) { $0 })
    let (books, authors) = (Log<String>(), Log<Int>())
    let tokens = [
      engine.react(to: DetailCommand<BookFeature>.self, consume: books.note),
      engine.react(to: DetailCommand<AuthorFeature>.self, consume: authors.note),
    ]
    #expect(try await engine.execute(DetailCommand<BookFeature>(id: 1)).value == "BOOKS/1")
    #expect(try await engine.execute(DetailCommand<AuthorFeature>(id: 12)).value == 10)
    #expect(books.entries == ["BOOKS/1"])
    #expect(authors.entries == [10])
    #expect(throws: EngineError.duplicateHandler(DetailCommand<BookFeature>.self)) {
      try engine.use(DetailCommandHandler(feature: BookFeature()) { $0 })
    }
    withExtendedLifetime(tokens) {}
  }
}
