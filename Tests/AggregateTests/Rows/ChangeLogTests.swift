import TestSupport
import Testing

@testable import Aggregate

@Suite("The log of changed keys")
struct ChangeLogTests {
  @Test("It tells what has changed since a content, and that it does not know what another copy has seen")
  func copies() {
    var log = ChangeLog<Int>()
    let start = log.stamp
    log.note(1, of: 1)
    let one = log.stamp
    var other = log
    log.note(2, of: 2)
    other.note(3, of: 2)
    #expect(log.keys(since: start) == [1, 2])
    #expect(log.keys(since: one) == [2])
    #expect(log.keys(since: log.stamp) == [])
    #expect(other.keys(since: one) == [3])
    #expect(other.keys(since: log.stamp) == nil)
    #expect(log.keys(since: other.stamp) == nil)
    log.noteAll()
    #expect(log.keys(since: one) == nil)
    #expect(log.keys(since: log.stamp) == [])
  }

  @Test("It forgets the oldest changes beyond an eighth of the rows, and never says that nothing has changed")
  func bound() {
    for count in [0, 1000] {
      var log = ChangeLog<Int>()
      var stamps = [log.stamp]
      for key in 0..<500 {
        log.note(key, of: count)
        stamps.append(log.stamp)
        for (index, stamp) in stamps.enumerated().suffix(200) {
          guard let keys = log.keys(since: stamp) else { continue }
          #expect(keys == Array(index..<stamps.count - 1))
        }
        // At least half of what it may hold is there.
        let remembered = max(64, count / 8) / 2
        #expect(log.keys(since: stamps[max(0, stamps.count - 1 - remembered)]) != nil)
      }
      #expect(log.keys(since: stamps[0]) == nil)
    }
  }

  @Test("A log of many rows that has become one of few rows drops what is too much")
  func shrinking() {
    var log = ChangeLog<Int>()
    let start = log.stamp
    for key in 0..<1000 { log.note(key, of: 100_000) }
    #expect(log.keys(since: start)?.count == 1000)
    log.note(1000, of: 10)
    #expect(log.keys(since: start) == nil)
    #expect(log.keys(since: log.stamp) == [])
  }
}
