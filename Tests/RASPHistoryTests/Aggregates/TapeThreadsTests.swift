import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import RASPHistory

@Suite("The tape and several threads", .endsInTime)
struct TapeThreadsTests {
  @Test("REC-01: every recording that is taken while two threads send is whole, and reproduced", arguments: [1, 7, 64])
  func sendersAndReaders(count: Int) async {
    let journal = Aggregator(initial: Journal())
    let recorder = TapeRecorder(journal, last: count)
    let isDone = Flag()
    let events = rounds(20_000)
    await Threads.run {
      for event in 0..<events { journal.send(event) }
      isDone.raise()
    } _: {
      for event in 0..<events { journal.send(-event) }
    } _: {
      while !isDone.isRaised { check(recorder.recording, isFull: false) }
    } _: {
      // The tape grows meanwhile, and is shared.
      for size in 1..<8 { check(TapeRecorder(journal, last: size).recording, isFull: false) }
    }
    #expect(await eventually { journal.snapshot.entries.count == 2 * events })
    check(recorder.recording, isFull: true)
    #expect(recorder.recording.entries.last?.number == 2 * events)
  }

  private func check(_ recording: Recording<Journal>, isFull: Bool) {
    let newest = recording.entries.last?.number ?? recording.state.entries.count
    #expect(recording.state.entries.count == newest)
    #expect(recording.entries.map(\.event) == Array(recording.state.entries.suffix(recording.entries.count)))
    #expect(recording.initial?.entries.count == newest - recording.entries.count)
    #expect(recording.isReproduced)
    if isFull { #expect(!recording.entries.isEmpty) }
  }

  @Test("recorders that begin and end on two threads while events come leave a tape that is right")
  func comingAndGoing() async {
    let journal = Aggregator(initial: Journal())
    let isDone = Flag()
    let wrong = Counter()
    let turns = rounds(5_000)
    await Threads.run {
      for event in 0..<turns { journal.send(event) }
      isDone.raise()
    } _: {
      while !isDone.isRaised {
        if !TapeRecorder(journal, last: 3).recording.isReproduced { wrong.increment() }
      }
    } _: {
      while !isDone.isRaised {
        if !TapeRecorder(journal, last: 2).recording.isReproduced { wrong.increment() }
      }
    }
    #expect(wrong.value == 0)
  }
}
