import Aggregate
import CostRows
import Streams

/// Events that a state refuses.
let rejectionRows: [CostRow] = [
  CostRow("rejections.unheard", "a refused event, no subscriber", should: 200) { _ in
    let forms = Forms(initial: Form())
    return { count in
      for _ in 0..<count { forms.send(.refused) }
      precondition(forms.snapshot.a == 0)
    }
  },
  CostRow("rejections.heard", "a refused event, rejections subscribed", should: 300) { _ in
    let forms = Forms(initial: Form())
    let sink = Sink()
    let token = forms.rejections.subscribe { _ in sink.see(1) }
    return { count in
      let before = sink.sum
      for _ in 0..<count { forms.send(.refused) }
      precondition(sink.sum == before + count)
      withExtendedLifetime(token) {}
    }
  },
  CostRow("rejections.subscribed.accepted", "an accepted event, rejections subscribed", should: 150) { _ in
    let forms = Forms(initial: Form())
    let sink = Sink()
    let token = forms.rejections.subscribe { _ in sink.see(1) }
    return { count in
      for number in 0..<count { forms.send(.a(number)) }
      precondition(forms.snapshot.a == count - 1)
      withExtendedLifetime(token) {}
    }
  },
  CostRow(
    "rejections.subscribe.cancel",
    "subscribe to rejections and cancel",
    should: 2_000,
    count: 64,
    note: "the token and its lifetime are allocated; the release of the observer looks its type up"
  ) { _ in
    let forms = Forms(initial: Form())
    return { count in
      for _ in 0..<count {
        let token = forms.rejections.subscribe { _ in }
        precondition(token.isActive)
        token.cancel()
      }
    }
  },
]
