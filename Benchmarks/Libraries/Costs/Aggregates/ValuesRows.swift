import Aggregate
import CostRows
import Streams

/// The newest value of a selection, for `for await`.
let valuesRows: [CostRow] = [
  CostRow("select.values.unread", "selection.values: a send while the reader is late", should: 230) { _ in
    let pairs = Pairs(initial: Pair())
    let iterator = pairs.select(\.a).values.makeAsyncIterator()
    return { count in
      for number in 1...count { pairs.send(.a(number)) }
      withExtendedLifetime(iterator) {}
      precondition(pairs.snapshot.a == count)
    }
  },
  CostRow(
    "select.values.string.unread",
    "selection.values of a String: a send while the reader is late (state may refuse)",
    should: 500
  ) { _ in
    let texts = ["a text that needs storage", "another text that needs storage"]
    let forms = Forms(initial: Form())
    let iterator = forms.select(\.name).values.makeAsyncIterator()
    return { count in
      for number in 1...count { forms.send(.name(texts[number & 1])) }
      withExtendedLifetime(iterator) {}
      precondition(forms.snapshot.name == texts[count & 1])
    }
  },
  .together("select.values.oneByOne", "selection.values: send and read, same task", should: 450) { _ in
    let pairs = Pairs(initial: Pair())
    return { count in
      var iterator = pairs.select(\.a).values.makeAsyncIterator()
      for number in 1...count {
        pairs.send(.a(number))
        let read = await iterator.next()
        precondition(read == number)
      }
    }
  },
  CostRow("select.shared", "selection.observable.share(), one subscriber", should: 300) { _ in
    let pairs = Pairs(initial: Pair())
    let sink = Sink()
    let token = pairs.select(\.a).observable.share().subscribe { sink.see($0) }
    return { count in
      for number in 1...count { pairs.send(.a(number)) }
      precondition(sink.sum > 0)
      withExtendedLifetime(token) {}
    }
  },
]
