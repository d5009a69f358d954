import RASPTesting
import Streams
import TestSupport
import Testing

@Suite("A sequence as a source")
struct SequenceTests {
  @Test("Sends the elements at once, to each subscriber anew, then finishes")
  func atOnce() {
    let stream = Observable(1...3)
    for _ in 0..<2 {
      let recorder = Recorder(stream)
      #expect(recorder.values == [1, 2, 3])
      #expect(recorder.ends == [.finished])
    }
    let empty = Recorder(Observable([Int]()))
    #expect(empty.values.isEmpty && empty.ends == [.finished])
  }

  @Test("The subscription has ended when subscribe returns")
  func ended() {
    let token = Observable([1]).subscribe { _ in }
    #expect(!token.isActive)
    token.cancel()
  }

  @Test("An end inside the delivery stops it there: the sequence is not read on")
  func stops() {
    let reads = Counter()
    let numbers = sequence(first: 1) { last in
      reads.increment()
      return last + 1
    }
    let recorder = Recorder(Observable(numbers).prefix(4))
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(reads.value <= 4)
  }
}
