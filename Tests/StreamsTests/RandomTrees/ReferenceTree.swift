import TestSupport

/// The end of a stream in the reference: the code of a failure, or `nil`.
private typealias End = Int?

/// An observer of the reference: it gets values until it is over.
private final class Sink {
  private(set) var isOver = false
  private var teardowns: [() -> Void] = []
  private let onValue: (Int) -> Void
  private let onEnd: (End) -> Void

  init(_ onValue: @escaping (Int) -> Void, onEnd: @escaping (End) -> Void) {
    self.onValue = onValue
    self.onEnd = onEnd
  }

  func value(_ value: Int) { if !isOver { onValue(value) } }

  func end(_ end: End) {
    guard !isOver else { return }
    cancel()
    onEnd(end)
  }

  func cancel() {
    guard !isOver else { return }
    isOver = true
    let all = teardowns
    teardowns = []
    for teardown in all { teardown() }
  }

  func whenOver(_ teardown: @escaping () -> Void) {
    if isOver { teardown() } else { teardowns.append(teardown) }
  }

  /// An observer of an input, which is over with this one at the latest.
  func input(_ onValue: ((Int) -> Void)? = nil, onEnd: ((End) -> Void)? = nil) -> Sink {
    let input = Sink(onValue ?? { self.value($0) }, onEnd: onEnd ?? { self.end($0) })
    whenOver { input.cancel() }
    return input
  }
}

/// Work that waits while other work is done.
private final class Line {
  private var work: [() -> Void] = []
  private var isOwned = false

  func submit(_ job: @escaping () -> Void) {
    work.append(job)
    guard !isOwned else { return }
    isOwned = true
    while !work.isEmpty { work.removeFirst()() }
    isOwned = false
  }
}

/// A source with many observers.
private final class HotSource {
  private let line = Line()
  private let replayCount: Int
  private var replayed: [Int] = []
  private var sinks: [Sink] = []
  private var ended: End?

  init(replaying count: Int = 0) {
    replayCount = count
  }

  func attach(_ sink: Sink) {
    line.submit {
      for value in self.replayed { sink.value(value) }
      if let end = self.ended { return sink.end(end) }
      if !sink.isOver { self.sinks.append(sink) }
    }
  }

  func value(_ value: Int) {
    line.submit {
      guard self.ended == nil else { return }
      self.replayed = Array((self.replayed + [value]).suffix(self.replayCount))
      for sink in self.sinks { sink.value(value) }
    }
  }

  func end(_ end: End) {
    line.submit {
      guard self.ended == nil else { return }
      self.ended = .some(end)
      for sink in self.sinks { sink.end(end) }
    }
  }
}

/// A random program on the plainest operators: one thread, no locks, each operator by itself.
final class ReferenceTree {
  private final class Timer {
    let due: Int
    var action: (() -> Void)?

    init(due: Int, action: @escaping () -> Void) {
      self.due = due
      self.action = action
    }
  }

  /// The connection of a shared stream.
  private final class Connection {
    let source: HotSource
    let upstream: Sink
    var subscriberCount = 0
    var hasFinished = false

    init(_ source: HotSource, _ upstream: Sink) {
      self.source = source
      self.upstream = upstream
    }
  }

  private let program: RandomTree
  private(set) var seen: [TreeRecord] = []
  private(set) var inside: [TreeRecord] = []
  private var now = 0
  private var timers: [Timer] = []
  private let subjects = [HotSource(), HotSource()]
  private var shared: [Int: Connection] = [:]

  init(_ program: RandomTree) {
    self.program = program
  }

  func run() {
    for (instant, subject, event) in program.hot {
      _ = schedule(instant) { [subjects] in
        switch event {
        case .value(let value): subjects[subject].value(value)
        case .finish: subjects[subject].end(nil)
        case .fail(let code): subjects[subject].end(code)
        }
      }
    }
    let sink = Sink { [unowned self] value in
      seen.append(TreeRecord(place: 0, instant: now, event: .value, value: value))
    } onEnd: { [unowned self] end in
      seen.append(record(end, 0))
    }
    attach(program.root, sink)
    advance(to: program.cancelAt)
    sink.cancel()
    advance(to: RandomTree.end + 1)
    shared = [:]
  }

  // MARK: Time

  private func schedule(_ instant: Int, _ action: @escaping () -> Void) -> Timer {
    let timer = Timer(due: max(instant, now), action: action)
    timers.insert(timer, at: timers.firstIndex { $0.due > timer.due } ?? timers.endIndex)
    return timer
  }

  private func schedule(after delay: Int, for sink: Sink, _ action: @escaping () -> Void) -> Timer {
    let timer = schedule(now + delay, action)
    sink.whenOver { timer.action = nil }
    return timer
  }

  private func advance(to instant: Int) {
    while let first = timers.first, first.due <= instant {
      timers.removeFirst()
      guard let action = first.action else { continue }
      now = first.due
      action()
    }
    now = instant
  }

  private func record(_ end: End, _ place: Int) -> TreeRecord {
    if let end { return TreeRecord(place: place, instant: now, event: .failed, value: end) }
    return TreeRecord(place: place, instant: now, event: .finished)
  }

  private func note(_ event: TreeRecord.Event, _ place: Int, _ value: Int = 0) {
    inside.append(TreeRecord(place: place, instant: now, event: event, value: value))
  }

  // MARK: Operators

  private func attach(_ tree: Tree, _ sink: Sink) {
    if sink.isOver { return }
    if tree.inputs.isEmpty {
      note(.subscribed, tree.id)
      sink.whenOver { self.note(.over, tree.id) }
      attachSource(tree, sink)
    } else if !attachSingle(tree, sink), !attachTimed(tree, sink) {
      attachJoined(tree, sink)
    }
  }

  private func attachSource(_ tree: Tree, _ sink: Sink) {
    switch tree.kind {
    case .values(let values):
      for value in values { sink.value(value) }
      sink.end(nil)
    case .never: break
    case .fail(let code): sink.end(code)
    case .hot(let subject): subjects[subject].attach(sink)
    case .timer(let after):
      _ = schedule(after: after, for: sink) {
        sink.value(1)
        sink.end(nil)
      }
    case .interval(let period): tick(0, period, sink) { sink.value($0) }
    case .cold(let steps):
      for step in steps {
        _ = schedule(after: step.after, for: sink) {
          switch step.event {
          case .value(let value): sink.value(value)
          case .finish: sink.end(nil)
          case .fail(let code): sink.end(code)
          }
        }
      }
    default: sink.end(nil)
    }
  }

  private func tick(_ number: Int, _ period: Int, _ sink: Sink, _ action: @escaping (Int) -> Void) {
    if sink.isOver { return }
    _ = schedule(after: period, for: sink) {
      action(number)
      self.tick(number + 1, period, sink, action)
    }
  }

  private func attachSingle(_ tree: Tree, _ sink: Sink) -> Bool {
    let source = tree.inputs[0]
    var memory = 0
    switch tree.kind {
    case .map: attach(source, sink.input { if $0 % 17 == 16 { sink.end(17) } else { sink.value($0 + 1) } })
    case .compactMap: attach(source, sink.input { if $0 % 3 != 0 { sink.value($0 * 2) } })
    case .filter: attach(source, sink.input { if $0 % 3 != 1 { sink.value($0) } })
    case .scan, .scanInto:
      attach(
        source,
        sink.input {
          memory = RandomTree.mix(memory, $0)
          sink.value(memory)
        }
      )
    case .distinct:
      var last: Int?
      attach(
        source,
        sink.input {
          if last == $0 / 4 { return }
          last = $0 / 4
          sink.value($0 / 4)
        }
      )
    case .prefix(let count):
      if count == 0 {
        sink.end(nil)
        return true
      }
      attach(
        source,
        sink.input {
          memory += 1
          sink.value($0)
          if memory == count { sink.end(nil) }
        }
      )
    case .prefixWhile: attach(source, sink.input { if $0 % 7 != 6 { sink.value($0) } else { sink.end(nil) } })
    case .dropFirst(let count):
      attach(
        source,
        sink.input {
          memory += 1
          if memory > count { sink.value($0) }
        }
      )
    case .prepend(let values):
      for value in values { sink.value(value) }
      attach(source, sink.input())
    case .handleEvents:
      let id = tree.id
      note(.subscribed, id)
      var hasEnded = false
      sink.whenOver { if !hasEnded { self.note(.cancelled, id) } }
      let input = sink.input {
        self.note(.value, id, $0)
        sink.value($0)
      } onEnd: {
        hasEnded = true
        self.inside.append(self.record($0, id))
        sink.end($0)
      }
      attach(source, input)
    case .deferred: attach(source, sink.input())
    case .mapError: attach(source, sink.input(onEnd: { sink.end($0.map { $0 + 1 }) }))
    case .share(let count): attachShared(tree, count, sink)
    case .timestamped: attach(source, sink.input { sink.value(RandomTree.mix($0, self.now)) })
    default: return false
    }
    return true
  }

  private func attachShared(_ tree: Tree, _ count: Int, _ sink: Sink) {
    let id = tree.id
    var connects = false
    if shared[id] == nil {
      connects = true
      let source = HotSource(replaying: count)
      var made: Connection?
      let upstream = Sink {
        source.value($0)
      } onEnd: { [unowned self] end in
        if let made, shared[id] === made {
          if end == nil { made.hasFinished = true } else { shared[id] = nil }
        }
        source.end(end)
      }
      made = Connection(source, upstream)
      shared[id] = made
    }
    guard let connection = shared[id] else { return }
    connection.subscriberCount += 1
    sink.whenOver { [unowned self] in
      connection.subscriberCount -= 1
      guard shared[id] === connection, !connection.hasFinished, connection.subscriberCount == 0 else { return }
      shared[id] = nil
      connection.upstream.cancel()
    }
    connection.source.attach(sink)
    if connects { attach(tree.inputs[0], connection.upstream) }
  }

  private func attachTimed(_ tree: Tree, _ sink: Sink) -> Bool {
    let source = tree.inputs[0]
    var timer: Timer?
    var waiting: [Int] = []
    func restart(_ delay: Int, _ action: @escaping () -> Void) {
      timer?.action = nil
      timer = schedule(after: delay, for: sink, action)
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
        windowEnd = now + window
        sink.value(value)
      }
      let input = sink.input { value in
        if self.now >= windowEnd { return open(value) }
        guard latest else { return }
        waiting = [value]
        restart(windowEnd - self.now) {
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
        _ = self.schedule(after: delay, for: sink) { sink.value(value) }
      } onEnd: { end in
        if end != nil { return sink.end(end) }
        _ = self.schedule(after: delay, for: sink) { sink.end(nil) }
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
      tick(0, period, sink) { _ in sendWaiting() }
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
      let origin = now
      let input = sink.input { value in
        waiting.append(value)
        if let count, waiting.count >= max(1, count) { return sendBuffer() }
        guard let period, waiting.count == 1 else { return }
        restart(period - (self.now - origin) % period) { sendBuffer() }
      } onEnd: { end in
        if end == nil { sendBuffer() }
        sink.end(end)
      }
      attach(source, input)
    }
  }

  private func retry(
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
        if firstValue == nil { firstValue = self.now }
        sink.value(value)
      } onEnd: { end in
        guard let failure = end else { return sink.end(nil) }
        if case .health(let duration) = recovery, let firstValue, self.now - firstValue >= duration { retries = 0 }
        guard retries < limit, isTransient(failure) else { return sink.end(failure) }
        let wait = delay(retries)
        retries += 1
        if wait == 0 { return attempt() }
        _ = self.schedule(after: wait, for: sink) { attempt() }
      }
      attach(source, input)
    }
    attempt()
  }

  private func attachJoined(_ tree: Tree, _ sink: Sink) {
    let sources = tree.inputs
    switch tree.kind {
    case .merge:
      var open = sources.count
      for input in sources.map({ _ in sink.input(onEnd: ended) }).enumerated() {
        attach(sources[input.offset], input.element)
      }
      func ended(_ end: End) {
        open -= 1
        if end != nil || open == 0 { sink.end(end) }
      }
    case .concat:
      func follow(_ index: Int) {
        if index == sources.count { return sink.end(nil) }
        attach(sources[index], sink.input(onEnd: { if $0 != nil { sink.end($0) } else { follow(index + 1) } }))
      }
      follow(0)
    case .combineLatest:
      var newest = [Int?](repeating: nil, count: sources.count)
      var open = sources.count
      let inputs = sources.indices.map { index in
        sink.input { value in
          newest[index] = value
          let all = newest.compactMap { $0 }
          if all.count == newest.count { sink.value(RandomTree.mix(all)) }
        } onEnd: { end in
          open -= 1
          if end != nil || open == 0 || newest[index] == nil { sink.end(end) }
        }
      }
      for (source, input) in zip(sources, inputs) { attach(source, input) }
    case .withLatest:
      var newest: Int?
      let other = sink.input {
        newest = $0
      } onEnd: {
        if $0 != nil || newest == nil { sink.end($0) }
      }
      attach(sources[1], other)
      attach(sources[0], sink.input { value in if let newest { sink.value(RandomTree.mix(value, newest)) } })
    case .prefixUntil:
      attach(sources[1], sink.input({ _ in sink.end(nil) }, onEnd: { _ in }))
      attach(sources[0], sink.input())
    case .sampleOn:
      var newest: Int?
      func sample() {
        if let value = newest.take() { sink.value(value) }
      }
      attach(sources[1], sink.input({ _ in sample() }, onEnd: { _ in }))
      let input = sink.input {
        newest = $0
      } onEnd: { end in
        if end == nil { sample() }
        sink.end(end)
      }
      attach(sources[0], input)
    case .catching:
      attach(
        sources[0],
        sink.input(onEnd: { if $0 == nil { sink.end(nil) } else { self.attach(sources[1], sink.input()) } })
      )
    default: attachChosen(tree, sink)
    }
  }

  private func attachChosen(_ tree: Tree, _ sink: Sink) {
    let sources = tree.inputs
    var outerIsOpen = true
    var followed: [Sink] = []
    var waiting: [Tree] = []
    var isMerge = false
    var isLatest = false
    if case .mergeStreams = tree.kind { isMerge = true }
    if case .latest = tree.kind { isLatest = true }
    func arrived(_ source: Tree) {
      if isLatest { followed.last?.cancel() }
      if !isMerge, !isLatest, followed.contains(where: { !$0.isOver }) { return waiting.append(source) }
      let inner = sink.input(onEnd: ended)
      followed.append(inner)
      attach(source, inner)
    }
    func ended(_ end: End) {
      if end != nil { return sink.end(end) }
      if !waiting.isEmpty { return arrived(waiting.removeFirst()) }
      if !outerIsOpen, followed.allSatisfy(\.isOver) { sink.end(nil) }
    }
    let outer = sink.input { value in
      arrived(sources[1 + value % (sources.count - 1)])
    } onEnd: { end in
      if end != nil { return sink.end(end) }
      outerIsOpen = false
      if followed.allSatisfy(\.isOver) { sink.end(nil) }
    }
    attach(sources[0], outer)
  }
}
