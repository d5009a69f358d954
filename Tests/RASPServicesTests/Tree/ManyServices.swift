import RASPServices
import TestSupport

/// Twenty services in one expression: if the type checker took the lines of a body together, it would have to try every
/// combination of them, and this file would not compile.
struct TwentyServices: Service {
  let log: Log<String>

  var body: some Service {
    Group {
      Recording(name: "0", log: log).serial()
      Group { Recording(name: "1", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "2", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "3", log: log).environment(\.send, { _ in })
      Recording(name: "4", log: log).serial()
      Group { Recording(name: "5", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "6", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "7", log: log).environment(\.send, { _ in })
      Recording(name: "8", log: log).serial()
      Group { Recording(name: "9", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "10", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "11", log: log).environment(\.send, { _ in })
      Recording(name: "12", log: log).serial()
      Group { Recording(name: "13", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "14", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "15", log: log).environment(\.send, { _ in })
      Recording(name: "16", log: log).serial()
      Group { Recording(name: "17", log: log) }.observe(on: ArticleAction.self) { _ in }
      Recording(name: "18", log: log).transformError { _ in nil }.concurrent()
      Recording(name: "19", log: log).environment(\.send, { _ in })
    }
  }
}

/// A service of a type of its own for each nesting.
private struct Nested<Inner>: Service {
  let name: String
  let log: Log<String>

  var body: some Service {
    Recording(name: name, log: log)
  }
}

/// As many services as `count`, of as many types.
func services(_ count: Int, log: Log<String>) -> [any Service] {
  func service<Inner>(_ number: Int, _: Inner.Type) -> [any Service] {
    number == count ? [] : [Nested<Inner>(name: "\(number)", log: log)] + service(number + 1, Optional<Inner>.self)
  }
  return service(0, Void.self)
}
