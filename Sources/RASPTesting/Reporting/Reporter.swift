package import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The reporter of the mistakes that this module finds: as issues of the running test, unless a test of this
/// module listens. In a test of XCTest they are its failures. In a program without a test they stop it, because a wrong
/// expectation would pass unseen.
package struct Reporter: Sendable {
  /// The one of the running task. What reports from a thread keeps the one that it was made with.
  @TaskLocal package static var current = Reporter { text, sourceLocation in
    // Without a test it is recorded too: a run of Swift Testing counts what a detached task or a thread finds.
    Issue.record(Comment(rawValue: text), sourceLocation: sourceLocation)
    if Test.current != nil { return }
    let text = "\(sourceLocation): \(text)"
    // It does nothing where no test of XCTest runs.
    guard let record = XCTestFailure.loaded?.record else { fatalError("\(text)\nNo test runs that could record it.") }
    record(text, #filePath, #line)
  }

  private let record: @Sendable (String, SourceLocation) -> Void

  package init(_ record: @escaping @Sendable (_ text: String, _ sourceLocation: SourceLocation) -> Void) {
    self.record = record
  }

  /// Reports `text`, which says what is wrong and what to do about it.
  package func report(_ text: String, at sourceLocation: SourceLocation) {
    record(text, sourceLocation)
  }
}

/// `XCTFail`, if the process has XCTest. It is looked up by its symbol, because an import would link XCTest, and
/// Foundation with it, to all that uses this module.
private struct XCTestFailure: Sendable {
  let record: @Sendable (_ message: String, _ file: StaticString, _ line: UInt) -> Void

  static let loaded: XCTestFailure? = {
    let symbol = dlsym(dlopen(nil, RTLD_NOW), "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF")
    // A function of Swift without a context is stored as its address and an empty context.
    return symbol.map { unsafeBitCast((address: $0, context: UnsafeRawPointer?.none), to: XCTestFailure.self) }
  }()
}
