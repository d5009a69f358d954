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
/// `[ab]` several things in one step; spaces are for lining up. What does not match is reported as an issue of the
/// running test, with both diagrams, one below the other.
///
/// Time begins at zero and moves on with each expectation. For one test, on one thread.
public final class Marbles: Sendable {
  /// The time of all streams made here; for operators that take a scheduler.
  public let time = VirtualScheduler()

  /// How long a step is.
  public let step: Duration

  /// - Parameter step: how long a step is.
  public init(step: Duration = .seconds(1)) {
    self.step = step
  }

  /// A stream that plays a diagram to each subscriber, from the instant of the subscription.
  ///
  /// - Parameters:
  ///   - diagram: what happens; values are the characters.
  ///   - sourceLocation: where to report a text that is not a diagram.
  public func stream(
    _ diagram: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Observable<String, MarbleFailure> {
    let diagram = parse(diagram, sourceLocation)
    let time = time
    let step = step
    return Observable(attach: { observer in
      let start = time.now
      for (index, events) in diagram.steps.enumerated() where !events.isEmpty {
        let timer = time.schedule(at: start + step * index) {
          for event in events { event.send(to: observer) }
        }
        observer.lifetime.onTermination { timer.cancel() }
      }
    })
  }

  /// A stream that plays a diagram from now on, whoever is subscribed.
  ///
  /// - Parameters:
  ///   - diagram: what happens; values are the characters.
  ///   - sourceLocation: where to report a text that is not a diagram.
  public func sharedStream(
    _ diagram: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Observable<String, MarbleFailure> {
    let subject = Subject<String, MarbleFailure>()
    let diagram = parse(diagram, sourceLocation)
    let start = time.now
    for (index, events) in diagram.steps.enumerated() where !events.isEmpty {
      time.schedule(at: start + step * index) {
        for event in events { event.send(to: subject) }
      }.detach()
    }
    return subject.observable
  }

  /// Subscribes to `stream`, plays as long as the diagram is, and reports if it did anything else.
  ///
  /// Nothing may come in the steps of the diagram but what it shows; what would come after its last step is not looked
  /// at. When it is over, work that the stream has left on the scheduler is reported too.
  ///
  /// - Parameters:
  ///   - stream: what to look at. A value is shown as its description.
  ///   - diagram: what should happen.
  ///   - sourceLocation: where to report.
  public func expect<Element: Sendable, Failure: Error>(
    _ stream: Observable<Element, Failure>,
    _ diagram: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expect(stream, diagram, sourceLocation) { String(describing: $0) }
  }

  /// As ``expect(_:_:sourceLocation:)``, with names for values that are not one character long.
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
      values.first { $0.value == value }.map { String($0.key) } ?? String(describing: value)
    }
  }

  private func expect<Element: Sendable, Failure: Error>(
    _ stream: Observable<Element, Failure>,
    _ diagram: String,
    _ sourceLocation: SourceLocation,
    name: (Element) -> String
  ) {
    let expected = parse(diagram, sourceLocation)
    let start = time.now
    let forgottenBefore = time.pending.count
    let recorder = Recorder(stream, on: time)
    let cancelled = expected.steps.firstIndex { $0.contains(.cancelled) }
    time.advance(to: start + step * max(0, expected.steps.count - 1))
    recorder.cancel()

    let observed = observe(recorder.records, since: start, steps: expected.steps.count, cancelled: cancelled, name)
    if observed.diagram != expected {
      let (first, second) = Diagram.aligned(expected, observed.diagram)
      report("expected  \(first)\nobserved  \(second)\(observed.remarks)", sourceLocation)
    } else if !observed.remarks.isEmpty {
      report("expected  \(diagram)\nbut also\(observed.remarks)", sourceLocation)
    }
    let forgotten = time.pending.count - forgottenBefore
    if forgotten > 0 {
      report(
        "left \(forgotten) action(s) on the scheduler after the end; cancel them with the subscription",
        sourceLocation
      )
    }
  }

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
      let index = Int(offset / step)
      if step * index == offset, diagram.steps.indices.contains(index) {
        diagram.steps[index].append(event)
      } else {
        remarks += "\n  \(event) at \(offset), between two steps"
      }
    }
    if let cancelled { diagram.steps[cancelled].append(.cancelled) }
    return (diagram, remarks)
  }

  private func parse(_ text: String, _ sourceLocation: SourceLocation) -> Diagram {
    do throws(Diagram.SyntaxError) {
      return try Diagram(text)
    } catch {
      report(error.description, sourceLocation)
      return Diagram(steps: [])
    }
  }

  private func report(_ comment: String, _ sourceLocation: SourceLocation) {
    Issue.record(Comment(rawValue: comment), sourceLocation: sourceLocation)
  }
}

/// What a stream made of a marble diagram fails with, at `^`.
public struct MarbleFailure: Error, Hashable {
  /// The failure.
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

  fileprivate func send(to subject: Subject<String, MarbleFailure>) {
    switch self {
    case .value(let value): subject.send(value)
    case .finished: subject.finish()
    case .failed: subject.fail(MarbleFailure())
    case .cancelled: break
    }
  }
}
