import NIOConcurrencyHelpers
import NIOCore
import NIOEmbedded
import Testing

@testable import RASPNATS

struct RequestsInFlight {
  /// The results of groups, noted as they become known.
  private final class Noted: Sendable {
    let results = NIOLockedValueBox<[String: [String]]>([:])
    private let loop = EmbeddedEventLoop()

    func group(_ name: String, count: Int = 1) -> RequestGroup {
      let requests = Array(repeating: NATSRequest(ByteBuffer(), to: name), count: count)
      let group = RequestGroup(requests, limit: .seconds(1), on: loop)
      group.begin { results in
        let texts = results.map { result in
          switch result {
          case .success: "answer"
          case .failure(let error): "\(error)".contains("no subscriber") ? "nobody" : "error"
          }
        }
        self.results.withLockedValue { $0[name] = ($0[name] ?? []) + texts }
      }
      return group
    }

    subscript(name: String) -> [String]? { results.withLockedValue { $0[name] } }
  }

  @Test func answersMayComeInAnyOrderAndTwice() {
    let noted = Noted()
    var table = RequestTable()
    for name in ["a", "b", "c"] { table.add(noted.group(name, count: 2)) }
    for token: UInt64 in [5, 0, 2, 2, 3, 99, 4] { table.complete(token, with: .empty, server: "") }
    #expect(noted["a"] == nil)
    #expect(noted["b"] == ["answer", "answer"])
    #expect(noted["c"] == ["answer", "answer"])
    table.fail { _, _ in .closed }
    #expect(noted["a"] == ["answer", "error"])
    table.complete(1, with: .empty, server: "")
    #expect(noted["a"]?.count == 2)
  }

  @Test func aGroupThatIsCancelledBeforeItBeginsIsDoneAtOnce() {
    let noted = Noted()
    let early = RequestGroup([NATSRequest(ByteBuffer(), to: "a")], limit: .seconds(1), on: EmbeddedEventLoop())
    early.cancel()
    #expect(!early.isDone)
    early.begin { results in noted.results.withLockedValue { $0["a"] = results.map { "\($0)" } } }
    #expect(early.isDone)
    #expect(noted["a"]?.first?.contains("cancelled") == true)
  }

  @Test func onlyThoseThatAreChosenFail() {
    let noted = Noted()
    var table = RequestTable()
    table.add(noted.group("a"))
    table.add(noted.group("b"))
    table.fail(where: { $0.requests[0].subject == "a" }) { _, _ in .cancelled }
    #expect(noted["a"] == ["error"])
    #expect(noted["b"] == nil)
    #expect(table.earliestDeadline != nil)
    table.complete(1, with: .empty, server: "")
    #expect(noted["b"] == ["answer"])
    #expect(table.earliestDeadline == nil)
  }
}
