import Testing

@Suite("Reports")
struct ReportsTests {
  @Test("the helper of these tests tells a report from none")
  func helper() {
    #expect(reports {} == [])
    #expect(reports { Issue.record("one") } == ["one"])
    #expect(
      reports {
        Issue.record("one")
        Issue.record("two")
      } == ["one", "two"]
    )
  }
}
