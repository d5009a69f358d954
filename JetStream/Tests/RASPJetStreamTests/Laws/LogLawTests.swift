import Foundation
import RASPJetStream
import RASPLogsTesting
import ServerSupport
import Testing

@Suite(
  "What every log must do",
  .enabled(if: NATSServer.isAvailable, Comment(rawValue: NATSServer.missing)),
  .timeLimit(.minutes(5))
)
struct LogLawTests {
  @Test("a log in JetStream", arguments: LogLaw.allCases, LogServer.available)
  func laws(law: LogLaw, kind: LogServer) async throws {
    let server = try await kind.start()
    let url = server.url
    try await law.check(on: server.storage(ofLog: "laws")) {
      try await JetStreamLog<String>(url, name: "laws", partitions: LogLaw.partitions, options: .quick)
    }
  }
}
