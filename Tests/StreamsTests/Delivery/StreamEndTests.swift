import TestSupport
import Testing

@testable import Streams

@Suite("StreamEnd")
struct StreamEndTests {
  @Test("get throws the failure, typed, and nothing else")
  func get() {
    let finished = StreamEnd<Never>.finished
    finished.get()
    do {
      try StreamEnd<TestError>.finished.get()
      try StreamEnd.failed(TestError(code: 3)).get()
      Issue.record("Nothing was thrown")
    } catch {
      #expect(error.code == 3)
    }
  }

  @Test("Ends are equal and hashed as their failures are")
  func equality() {
    #expect(StreamEnd<TestError>.finished == .finished)
    #expect(StreamEnd.failed(TestError(code: 1)) == .failed(TestError(code: 1)))
    #expect(StreamEnd.failed(TestError(code: 1)) != .failed(TestError(code: 2)))
    #expect(StreamEnd.failed(TestError()) != .finished)
    #expect(Set([StreamEnd.failed(TestError()), .finished, .finished]).count == 2)
  }
}
