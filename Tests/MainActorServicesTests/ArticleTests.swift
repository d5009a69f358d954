import RASPServices
import RASPTesting
import Streams
import TestSupport
import Testing

/// Holds the articles of the module and the Swift of this target together, and runs what the articles show.
@Suite("Articles of RASPServices", .endsInTime)
struct ArticleTests {
  @Test(
    "every Swift block of an article is compiled by this target",
    arguments: ["RASPServices", "MigratingFromTrellis"]
  )
  func blocksAreCompiled(article: String) throws {
    let document = "Sources/RASPServices/RASPServices.docc/\(article).md"
    #expect(try ArticleBlocks.count(in: document) >= 5)
    #expect(try ArticleBlocks.notCompiled(of: document, in: "Tests/MainActorServicesTests") == [])
  }

  @Test("the tree of the article runs on the main actor's side and off it")
  func article() async throws {
    let (log, list) = (Warnings(), List())
    let (notifications, input) = AsyncStream.makeStream(of: (any Action).self)
    let cluster = try await buildAndSend(log: log, api: API(), list: list, notifications: notifications)
    input.yield(ArticlesAction.load)
    #expect(await eventually { list.counts == [0, 1] })
    #expect(log.notes.entries == [])
    await cluster.shutdown()
    await testWithTheKit()
    let recorder = ActionRecorder()
    try await testWithACluster(recorder: recorder)
    recorder.expect()
  }

  @Test("the recipes for users of Trellis work")
  func recipes() async throws {
    let (pushes, input) = AsyncStream.makeStream(of: CartAction.self)
    let cluster = try await shop(pushes: pushes)
    let orders = Shop().orders
    #expect(orders.count == 0)
    input.yield(.add("book"))
    input.yield(.checkOut)
    #expect(await eventually { EnvironmentValues().shop.orders.entries == [["book"]] })
    await cluster.shutdown()

    let screen = SearchScreen()
    let searching = try await screen.start(shop: Shop())
    try await searching.send(action: SearchAction.type("harbour"))
    #expect(screen.words == "harbour")

    let recorder = ActionRecorder()
    let routing = try await Bootstrap {
      Router().environment(\.send, recorder.send)
      counter.with(model: 0)
    }
    try await routing.send(action: LinkAction(path: "sea"))
    try await routing.send(action: CountAction(step: 2))
    #expect(recorder.actions(of: SearchAction.self).count == 1)
  }
}
