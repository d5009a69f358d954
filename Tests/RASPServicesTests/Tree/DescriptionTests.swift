import RASPServices
import TestSupport
import Testing

@Suite("Descriptions")
struct DescriptionTests {
  private func cluster() async throws -> Cluster {
    try await Bootstrap(diagnostics: { _ in }) {
      Group {
        NumbersService().with(model: Numbers())
        Recording(name: "a", log: Log()).observe(on: AccountAction.self) { _ in }
        Reducer(state: 0) { (_: inout Int, _: AccountAction) in nil }
        Store(model: String.self).mutate(on: Add.self) { _, _, _ in }
      }
      .serial()
      .transformError { _ in nil }
      .watch(Int.self) { _ in }
    }
  }

  @Test("the tree is described with services, modifiers and handled actions")
  func tree() async throws {
    #expect(
      try await cluster().description == """
        Cluster
          Group [serial, transformError, watch(Int)]
            NumbersService [with(Numbers)]
              Store<Numbers>: Add, Read
            Recording [observe(AccountAction)]
              EmptyService [pre(AccountAction)]
            Reducer<Int>: AccountAction
            Store<String> (no model)
        """
    )
  }

  @Test("the same as a Mermaid graph")
  func mermaid() async throws {
    #expect(
      try await cluster().mermaid == """
        graph TD
          n0["Cluster"]
          n1["Group [serial, transformError, watch(Int)]"]
          n2["NumbersService [with(Numbers)]"]
          n3["Store#lt;Numbers#gt;: Add, Read"]
          n4["Recording [observe(AccountAction)]"]
          n5["EmptyService [pre(AccountAction)]"]
          n6["Reducer#lt;Int#gt;: AccountAction"]
          n7["Store#lt;String#gt; (no model)"]
          n0 --> n1
          n1 --> n2
          n2 --> n3
          n1 --> n4
          n4 --> n5
          n1 --> n6
          n1 --> n7
        """
    )
  }
}
