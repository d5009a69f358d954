import RASPLogs
import Testing

@testable import RASPJetStream

@Suite("Who is there")
struct MemberViewTests {
  /// The clock of the server is far ahead.
  private func view() -> MemberView {
    var view = MemberView(of: "a", lease: .seconds(5))
    view.renew("b", LogOwner("B"), at: .seconds(1_000), now: .zero)
    view.renew("c", LogOwner("C"), at: .seconds(1_003), now: .zero)
    return view
  }

  private func names(_ owners: [LogOwner]?) -> Set<String>? { owners.map { Set($0.map(\.member)) } }

  @Test("nothing is known before the own lease has come back")
  func unknown() {
    #expect(view().owners(at: .zero) == nil)
    #expect(view().nextEnd(after: .zero) == nil)
  }

  @Test("leases end by the clock of the server, also those that were there before")
  func ends() {
    var view = view()
    view.renew("a", LogOwner("A"), at: .seconds(1_004), now: .zero)
    #expect(names(view.owners(at: .zero)) == ["A", "B", "C"])
    #expect(view.nextEnd(after: .zero) == .seconds(1))
    #expect(names(view.owners(at: .seconds(1))) == ["A", "C"])
    #expect(view.nextEnd(after: .seconds(1)) == .seconds(4))
    view.renew("c", LogOwner("C"), at: .seconds(1_006), now: .seconds(2))
    #expect(view.nextEnd(after: .seconds(2)) == .seconds(7))
    #expect(names(view.owners(at: .seconds(100))) == ["A"], "a member counts itself")
  }

  @Test("who leaves is gone at once, and after a break all have a whole lease")
  func leaves() {
    var view = view()
    view.renew("a", LogOwner("A"), at: .seconds(1_004), now: .zero)
    view.remove("b")
    #expect(names(view.owners(at: .zero)) == ["A", "C"])
    view.extendAll(at: .seconds(60))
    #expect(names(view.owners(at: .seconds(64))) == ["A", "C"])
    #expect(names(view.owners(at: .seconds(65))) == ["A"])
  }
}
