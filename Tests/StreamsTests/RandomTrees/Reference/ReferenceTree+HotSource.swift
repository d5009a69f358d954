extension ReferenceTree {
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
  final class HotSource {
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

  /// The connection of a shared stream.
  final class Connection {
    let source: HotSource
    let upstream: Sink
    var subscriberCount = 0
    var hasFinished = false

    init(_ source: HotSource, _ upstream: Sink) {
      self.source = source
      self.upstream = upstream
    }
  }
}
