import RASPServices
import Synchronization
import Testing

@Suite("Handing out what sends")
@MainActor
struct SendValueTests {
  private struct Ping: Action {}

  private struct Presenter: Sendable {
    let send: Send
  }

  private final class Count: Sendable {
    let value = Atomic(0)
  }

  private struct ReadDepth: Service {
    @Environment(\.sendValueDepth) private var depth
    let count: Count

    var body: some Service {
      On(Ping.self) { _, _ in count.value.store(depth, ordering: .relaxed) }
    }
  }

  @Test("FACE-40: The send of a cluster is a value, and one of them does not keep the cluster alive")
  func sendIsAValue() async throws {
    let count = Count()
    var cluster: Cluster? = try await Bootstrap {
      On(Ping.self) { _, _ in count.value.add(1, ordering: .relaxed) }
    }
    weak let held = cluster
    let weakPresenter = Presenter(send: try #require(cluster).weakSend)
    var presenter: Presenter? = Presenter(send: try #require(cluster).send)
    cluster = nil
    try await presenter?.send(Ping())
    try await weakPresenter.send(Ping())
    #expect(count.value.load(ordering: .relaxed) == 2)
    #expect(held != nil)
    presenter = nil
    #expect(held == nil)
    await #expect(throws: ClusterError.released) { try await weakPresenter.send(Ping()) }
  }

  @Test("FACE-41: A transform of the environment returns the value or changes it")
  func transforms() async throws {
    let count = Count()
    let cluster = try await Bootstrap {
      ReadDepth(count: count)
        .transformEnvironment(\.sendValueDepth) { $0 * 2 }
        .transformEnvironment(\.sendValueDepth) { $0 += 3 }
    }
    try await cluster.send(action: Ping())
    #expect(count.value.load(ordering: .relaxed) == 8)
  }
}

extension EnvironmentValues {
  fileprivate var sendValueDepth: Int {
    get { self[SendValueDepth.self] }
    set { self[SendValueDepth.self] = newValue }
  }
}

private struct SendValueDepth: EnvironmentKey {
  static let defaultValue = 1
}
