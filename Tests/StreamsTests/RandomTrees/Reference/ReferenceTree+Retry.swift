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
      let input = sink.input { value in
        if recovery == .value { retries = 0 }
        sink.value(value)
      } onEnd: { end in
        guard let failure = end else { return sink.end(nil) }
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
