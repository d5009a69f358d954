import RASPServices
import Streams
import TestSupport
import Testing

@Suite("The tree", .endsInTime)
struct BuilderTests {
  enum Kind: CaseIterable { case one, two, three }

  struct Choosing: Service {
    let kind: Kind
    let flag: Bool
    let optional: Recording?
    let log: Log<String>

    var body: some Service {
      if flag {
        Recording(name: "if", log: log)
      } else {
        Recording(name: "else", log: log)
        Recording(name: "else too", log: log)
      }
      switch kind {
      case .one: Recording(name: "one", log: log)
      case .two: Recording(name: "two", log: log)
      case .three: EmptyService()
      }
      if flag { Recording(name: "only if", log: log) }
      for index in 0..<2 {
        Recording(name: "for \(index)", log: log)
      }
      if let optional { optional }
      optional
    }
  }

  @Test("bodies take if, else, switch, for and optionals")
  func conditions() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Choosing(kind: .two, flag: true, optional: Recording(name: "there", log: log), log: log).serial()
    }
    try await cluster.send(action: AccountAction.login)
    let expected = ["if", "two", "only if", "for 0", "for 1", "there", "there"]
    #expect(log.entries == expected.map { "\($0) login" })
  }

  @Test("the other branches, and nothing where there is nothing")
  func otherBranches() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      Choosing(kind: .three, flag: false, optional: nil, log: log).serial()
    }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["else", "else too", "for 0", "for 1"].map { "\($0) login" })
  }

  @Test("any number of children, of any type, and an empty tree")
  func anyNumber() async throws {
    let log = Log<String>()
    let services: [any Service] = [Recording(name: "x", log: log), Group { Recording(name: "y", log: log) }]
    let cluster = try await Bootstrap {
      for index in 0..<300 { Recording(name: "\(index)", log: log) }
      for service in services { service }
    }
    try await cluster.send(action: AccountAction.login)
    #expect(Set(log.entries).count == 302)

    let empty = try await Bootstrap {}
    try await empty.send(action: AccountAction.login)
    #expect(empty.description == "Cluster")
  }

  @Test("a body with return instead of a builder is a body too")
  func explicitReturn() async throws {
    struct Returning: Service {
      let log: Log<String>
      var body: some Service { return Recording(name: "a", log: log).serial() }
    }
    let log = Log<String>()
    let cluster = try await Bootstrap { Returning(log: log) }
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["a login"])
  }

  @Test("a service that contains itself is reported, not followed for ever")
  func endless() async throws {
    struct Endless: Service {
      var body: some Service { Group { again } }
      private var again: any Service { Endless() }
    }
    let problem = try await #require(throws: ServiceDiagnostic.self) { _ = try await Bootstrap { Endless() } }
    #expect("\(problem)".contains("The body of Endless leads to Endless again"))
  }

  @Test("twenty services in one expression compile and work")
  func twenty() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap { TwentyServices(log: log) }
    try await cluster.send(action: AccountAction.login)
    #expect(Set(log.entries).count == 20)
  }

  @Test("two hundred services of two hundred types make one tree")
  func twoHundred() async throws {
    let log = Log<String>()
    let cluster = try await Bootstrap {
      for service in services(200, log: log) { service }
    }
    try await cluster.send(action: AccountAction.login)
    #expect(Set(log.entries).count == 200)
  }

  @Test("bodies are read, and the cluster is bootstrapped, on the main actor, once")
  func mainActor() async throws {
    struct Body: Service {
      let log: Log<String>
      var body: some Service {
        log.note("body")
        MainActor.assertIsolated()
        return EmptyService().bootstrap {
          MainActor.assertIsolated()
          log.note("bootstrap")
        }
      }
    }
    let log = Log<String>()
    let cluster = try await Bootstrap { Body(log: log) }
    try await cluster.send(action: AccountAction.login)
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["body", "bootstrap"])
  }

  @Test("nor is one that contains itself twice, which would take for ever to cut off everywhere")
  func endlessTwice() async throws {
    struct Endless: Service {
      var body: some Service {
        Group {
          again
          again
        }
      }
      private var again: any Service { Endless() }
    }
    let problems = Log<String>()
    let cluster = try await Bootstrap(diagnostics: { problems.note("\($0)") }) { Endless() }
    #expect(problems.count == 1)
    withExtendedLifetime(cluster) {}
  }

  @Test("siblings of one type keep their models, environments and orders apart")
  func identity() async throws {
    let (left, right) = (Log<[Int]>(), Log<[Int]>())
    struct Numbering: Service {
      let log: Log<[Int]>
      var body: some Service {
        Store(model: Numbers.self)
          .mutate(on: Add.self) { model, action, _ in
            model.values.append(action.value)
            log.note(model.values)
          }
      }
    }
    let cluster = try await Bootstrap {
      Numbering(log: left).with(model: Numbers(values: [1])).serial()
      Numbering(log: right).with(model: Numbers(values: [2]))
    }
    try await cluster.send(action: Add(value: 3))
    #expect(left.entries == [[1, 3]])
    #expect(right.entries == [[2, 3]])
  }

  @Test("a condition that turns true after bootstrap changes nothing")
  func conditionsAreReadOnce() async throws {
    struct Conditional: Service {
      let condition: Box<Bool>
      let log: Log<String>
      var body: some Service {
        if condition.value == true { Recording(name: "hidden", log: log) } else { Recording(name: "shown", log: log) }
      }
    }
    let (condition, log) = (Box<Bool>(), Log<String>())
    let cluster = try await Bootstrap { Conditional(condition: condition, log: log) }
    condition.value = true
    try await cluster.send(action: AccountAction.login)
    #expect(log.entries == ["shown login"])
  }
}
