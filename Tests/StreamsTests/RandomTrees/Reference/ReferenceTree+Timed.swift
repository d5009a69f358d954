extension ReferenceTree {
  /// Attaches an operator that knows time; returns `false` if it is another one.
  func attachTimed(_ tree: Tree, _ sink: Sink) -> Bool {
    let source = tree.inputs[0]
    var timer: Time.Timer?
    var waiting: [Int] = []
    func restart(_ delay: Int, _ action: @escaping () -> Void) {
      timer?.action = nil
      timer = time.schedule(after: delay, for: sink, action)
    }
    func sendWaiting() {
      timer?.action = nil
      timer = nil
      let values = waiting
      waiting = []
      if let last = values.last { sink.value(last) }
    }
    func sendBuffer() {
      timer?.action = nil
      timer = nil
      let values = waiting
      waiting = []
      if !values.isEmpty { sink.value(RandomTree.mix(values)) }
    }
    switch tree.kind {
    case .retry(let limit, let delay): retry(source, limit, { _ in delay }, .never, { _ in true }, sink)
    case .retryPolicy(let limit, let delay, let recovery):
      retry(source, limit, { delay * ($0 + 1) }, recovery, { $0 != 3 }, sink)
    case .throttle(let window, let latest):
      var windowEnd = 0
      func open(_ value: Int) {
        windowEnd = time.now + window
        sink.value(value)
      }
      let input = sink.input { value in
        if self.time.now >= windowEnd { return open(value) }
        guard latest else { return }
        waiting = [value]
        restart(windowEnd - self.time.now) {
          let value = waiting[0]
          waiting = []
          open(value)
        }
      } onEnd: { end in
        if end == nil { sendWaiting() }
        sink.end(end)
      }
      attach(source, input)
    case .debounce(let quiet):
      let input = sink.input { value in
        waiting = [value]
        restart(quiet) { sendWaiting() }
      } onEnd: { end in
        if end == nil { sendWaiting() }
        sink.end(end)
      }
      attach(source, input)
    case .delay(let delay):
      let input = sink.input { value in
        self.time.schedule(after: delay, for: sink) { sink.value(value) }
      } onEnd: { end in
        if end != nil { return sink.end(end) }
        self.time.schedule(after: delay, for: sink) { sink.end(nil) }
      }
      attach(source, input)
    case .timeout(let limit):
      restart(limit) { sink.end(9) }
      let input = sink.input { value in
        restart(limit) { sink.end(9) }
        sink.value(value)
      }
      attach(source, input)
    case .sampleEvery(let period):
      time.tick(every: period, for: sink) { _ in sendWaiting() }
      let input = sink.input { value in
        waiting = [value]
      } onEnd: { end in
        if end == nil { sendWaiting() }
        sink.end(end)
      }
      attach(source, input)
    case .bufferCount(let count): buffer(count, nil)
    case .bufferEvery(let period): buffer(nil, period)
    case .bufferBoth(let count, let period): buffer(count, period)
    default: return false
    }
    return true

    func buffer(_ count: Int?, _ period: Int?) {
      let origin = time.now
      let input = sink.input { value in
        waiting.append(value)
        if let count, waiting.count >= max(1, count) { return sendBuffer() }
        guard let period, waiting.count == 1 else { return }
        restart(period - (self.time.now - origin) % period) { sendBuffer() }
      } onEnd: { end in
        if end == nil { sendBuffer() }
        sink.end(end)
      }
      attach(source, input)
    }
  }
}
