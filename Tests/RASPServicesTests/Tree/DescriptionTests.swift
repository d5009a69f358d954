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
}
