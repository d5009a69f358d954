import RASPSupport
public import Streams
public import Testing

/// Streams as text: inputs and expectations are marble diagrams, time is virtual.
///
///     let marbles = Marbles()
///     let left = marbles.stream("a-c|")
///     let right = marbles.stream("-b-|")
///     marbles.expect(.merge(left, right), "abc|")
///
/// One character is one step of time: `-` nothing, `a` a value, `|` the end, `^` a failure, `;` the observer cancels,
/// after whatever else happens in that step, `[ab]` several things in one step; spaces are for lining up. What does not
/// match is reported as an issue of the running test, with both diagrams, one below the other.
///
/// Time begins at zero and moves on with each expectation, as far as the stream goes on. For one test, on one thread.
public final class Marbles: Sendable {
  /// The time of all streams made here; for operators that take a scheduler.
  public let time = VirtualScheduler()

  /// The length of a step.
  public let step: Duration

  /// The number of steps of shared streams that are still to be played. They are on the scheduler, but they are not
  /// left behind by a stream under test.
  private let inputs = Lock(0)

  /// Makes a set of streams at instant zero.
  ///
  /// - Parameter step: the length of a step; a second, if it is not positive.
  public init(step: Duration = .seconds(1)) {
    self.step = step > .zero ? step : .seconds(1)
  }

  /// Makes a stream that plays a diagram to each subscriber, from the instant of the subscription.
  ///
  /// - Parameters:
  ///   - diagram: what happens; values are the characters.
  ///   - sourceLocation: where to report a text that is not a diagram.
  public func stream(
    _ diagram: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Observable<String, MarbleFailure> {
    let diagram = input(diagram, sourceLocation)
    let time = time
    let step = step
    return Observable(attach: { observer in
      let start = time.now
      for (index, events) in diagram.steps.enumerated() where !events.isEmpty {
        let timer = time.schedule(at: start.later(by: step * index)) {
          for event in events { event.send(to: observer) }
        }
        observer.lifetime.onTermination { timer.cancel() }
      }
    })
  }

  /// Makes a stream that plays a diagram from now on, with or without subscribers.
  ///
  /// - Parameters:
  ///   - diagram: what happens; values are the characters.
  ///   - sourceLocation: where to report a text that is not a diagram.
  public func sharedStream(
    _ diagram: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Observable<String, MarbleFailure> {
    // Not a subject, which would finish when its last step has been played.
    let hub = Hub<String, MarbleFailure>(replaying: 0)
    let diagram = input(diagram, sourceLocation)
    let start = time.now
    for (index, events) in diagram.steps.enumerated() where !events.isEmpty {
      inputs.withLock { $0 += 1 }
      time.schedule(at: start.later(by: step * index)) {
        self.inputs.withLock { $0 -= 1 }
        for event in events { event.send(to: hub) }
      }.detach()
    }
    return Observable(attach: { hub.attach($0) })
  }

  /// Subscribes to `stream`, plays it to its end, and reports if it did anything else than the diagram shows.
  ///
  /// What comes behind the last step is a difference. A stream that has not ended there is played until nothing is
  /// scheduled any more, or 1,000 actions have run, because some timers have no end. To look at the beginning alone,
  /// cancel in the last step: `ab[c;]`. When it is over, work that the stream has left on the scheduler is reported
  /// too.
  ///
  /// - Parameters:
  ///   - stream: the stream to look at. A value is shown as its description.
  ///   - diagram: what should happen.
  ///   - sourceLocation: where to report.
  public func expect<Element: Sendable, Failure: Error>(
    _ stream: Observable<Element, Failure>,
    _ diagram: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expect(stream, diagram, sourceLocation) { String(describing: $0) }
  }

  /// Does the same as ``expect(_:_:sourceLocation:)``, with names for values that are not one character long.
  ///
  /// - Parameters:
  ///   - stream: what to look at.
  ///   - diagram: what should happen.
  ///   - values: the values, by the character that stands for them in the diagram.
  ///   - sourceLocation: where to report.
  public func expect<Element: Equatable & Sendable, Failure: Error>(
    _ stream: Observable<Element, Failure>,
    _ diagram: String,
    values: [Character: Element],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expect(stream, diagram, sourceLocation) { value in
      if let name = values.first(where: { isSame($0.value, value) })?.key { return String(name) }
      let text = String(describing: value)
      // A value that is described as another one is named is not that one.
      return values.keys.contains { String($0) == text } ? "unnamed \(text)" : text
    }
  }

  private func expect<Element: Sendable, Failure: Error>(
    _ stream: Observable<Element, Failure>,
    _ diagram: String,
    _ sourceLocation: SourceLocation,
    name: (Element) -> String
  ) {
    guard let expected = parse(diagram, sourceLocation) else { return }
    let start = time.now
    let forgottenBefore = forgottenCount
    let recorder = Recorder(stream, on: time)
    let cancelled = expected.steps.firstIndex { $0.contains(.cancelled) }
    if let cancelled {
      time.advance(to: start.later(by: step * cancelled))
      recorder.cancel()
    }
    time.advance(to: start.later(by: step * (expected.steps.count - 1)))
    if cancelled == nil { playOn(recorder) }
    recorder.cancel()

    let observed = observe(recorder.records, since: start, steps: expected.steps.count, cancelled: cancelled, name)
    if observed.diagram != expected {
      let lines = Diagram.aligned([expected, observed.diagram])
      Reporter.current.report("expected  \(lines[0])\nobserved  \(lines[1])\(observed.remarks)", at: sourceLocation)
    } else if !observed.remarks.isEmpty {
      Reporter.current.report("expected  \(diagram)\nbut also\(observed.remarks)", at: sourceLocation)
    }
    let forgotten = forgottenCount - forgottenBefore
    if forgotten > 0 {
      Reporter.current.report(
        "left \(forgotten) action(s) on the scheduler after the end; cancel them with the subscription",
        at: sourceLocation
      )
    }
  }

  /// Plays what comes behind the diagram, or of a long stream as much as shows that something does.
  private func playOn<Element, Failure>(_ recorder: Recorder<Element, Failure>) {
    let count = recorder.records.count
    for _ in 0..<1_000 where recorder.end == nil && recorder.records.count < count + 20 {
      if time.run(limit: 1) { return }
    }
  }

  private var forgottenCount: Int { time.pending.count - inputs.withLock { $0 } }

  private func observe<Element, Failure>(
    _ records: [Recorder<Element, Failure>.Record],
    since start: Duration,
    steps: Int,
    cancelled: Int?,
    _ name: (Element) -> String
  ) -> (diagram: Diagram, remarks: String) {
    var diagram = Diagram(steps: Array(repeating: [], count: steps))
    var remarks = ""
    for record in records {
      let event: Diagram.Event =
        switch record.event {
        case .value(let value): .value(name(value))
        case .end(.finished): .finished
        case .end(.failed): .failed
        }
      let offset = record.instant - start
      // In whole numbers, which do not round.
      let (index, rest) = offset.attoseconds.quotientAndRemainder(dividingBy: step.attoseconds)
      if rest == 0, index < steps + 100 {
        while index >= diagram.steps.count { diagram.steps.append([]) }
        diagram.steps[Int(index)].append(event)
      } else {
        remarks += "\n  \(event) at \(offset), \(rest == 0 ? "long after the last step" : "between two steps")"
      }
    }
    if let cancelled { diagram.steps[cancelled].append(.cancelled) }
    return (diagram, remarks)
  }

  /// A diagram to be played: nothing, if the text is none.
  private func input(_ text: String, _ sourceLocation: SourceLocation) -> Diagram {
    guard let diagram = parse(text, sourceLocation) else { return Diagram(steps: []) }
    if diagram.steps.contains(where: { $0.contains(.cancelled) }) {
      Reporter.current.report("`\(text)`: an input cannot cancel; write `;` in what is expected", at: sourceLocation)
    }
    return diagram
  }

  private func parse(_ text: String, _ sourceLocation: SourceLocation) -> Diagram? {
    do throws(Diagram.SyntaxError) {
      return try Diagram(text)
    } catch {
      Reporter.current.report(error.description, at: sourceLocation)
      return nil
    }
  }
}

/// The failure of a stream made of a marble diagram, at `^`.
public struct MarbleFailure: Error, Hashable {
  /// Makes the failure.
  public init() {}
}

extension Diagram.Event {
  fileprivate func send(to observer: Observer<String, MarbleFailure>) {
    switch self {
    case .value(let value): observer.send(value)
    case .finished: observer.end(.finished)
    case .failed: observer.end(.failed(MarbleFailure()))
    case .cancelled: break
    }
  }

  fileprivate func send(to hub: Hub<String, MarbleFailure>) {
    switch self {
    case .value(let value): _ = hub.send(value)
    case .finished: _ = hub.end(.finished)
    case .failed: _ = hub.end(.failed(MarbleFailure()))
    case .cancelled: break
    }
  }
}
