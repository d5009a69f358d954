import Counting
import Streams

/// From streams to tasks and actors.
let bridgeRows: [CountedRow] = [
  .together("receive.actor", count: 1_024) {
    { count in
      let sink = Sink()
      let subject = Subject<Int, Never>()
      let (ends, end) = AsyncStream.makeStream(of: Void.self)
      let token = subject.observable.receive(on: Place()).subscribe { _, value in
        sink.see(value)
      } onEnd: { _, _ in
        end.finish()
      }
      for value in 0..<count { subject.send(value) }
      subject.finish()
      for await _ in ends {}
      precondition(sink.sum == count * (count - 1) / 2)
      withExtendedLifetime(token) {}
    }
  },
  // A task answers another one; each of the two values is one.
  .together("values.awaiting") {
    { count in
      let (questions, answers) = (Subject<Int, Never>(), Subject<Int, Never>())
      let asked = questions.values(buffering: .unbounded)
      var iterator = answers.values(buffering: .unbounded).makeAsyncIterator()
      let task = Task.immediate {
        for await value in asked { answers.send(value) }
      }
      for value in 0..<count / 2 {
        questions.send(value)
        let answer = await iterator.next()
        precondition(answer == value)
      }
      questions.finish()
      await task.value
    }
  },
]

private actor Place {}
