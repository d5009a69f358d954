extension ReferenceTree {
  func retry(
    _ source: Tree,
    _ limit: Int,
    _ delay: @escaping (Int) -> Int,
    _ recovery: Tree.Recovery,
    _ isTransient: @escaping (Int) -> Bool,
    _ sink: Sink
  ) {
    var retries = 0
    func attempt() {
      var firstValue: Int?
      let input = sink.input { value in
        if case .value = recovery { retries = 0 }
        if firstValue == nil { firstValue = self.time.now }
        sink.value(value)
      } onEnd: { end in
        guard let failure = end else { return sink.end(nil) }
        if case .health(let duration) = recovery, let firstValue, self.time.now - firstValue >= duration { retries = 0 }
        guard retries < limit, isTransient(failure) else { return sink.end(failure) }
        let wait = delay(retries)
        retries += 1
        if wait == 0 { return attempt() }
        self.time.schedule(after: wait, for: sink) { attempt() }
      }
      attach(source, input)
    }
    attempt()
  }
}
