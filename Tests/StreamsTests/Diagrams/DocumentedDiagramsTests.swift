import RASPTesting
import Streams
import Testing

/// What the documentation of the operators shows is what they do: inputs and results are read from the documentation.
struct DocumentedDiagramsTests {
  typealias Stream = Observable<String, MarbleFailure>

  struct Silence: Error {}

  /// The name of a value that is more than one character long: a letter for all its parts together.
  @Sendable
  private static func name(_ text: String, _ names: [String: String]) -> String { names[text] ?? text }

  /// Each diagram of the documentation that plays on virtual time, by its remark, and the pipeline it is of.
  static let pipelines: [String: @Sendable (DocumentedInputs) -> Stream] = [
    "map { $0.uppercased() }": { $0["source"].map { $0.uppercased() } },
    "compactMap { Int($0) }": { $0["source"].compactMap { Int($0) }.map { "\($0)" } },
    "filter { $0.isUppercase }": { $0["source"].filter { $0 == $0.uppercased() } },
    "scan(0) { $0 + $1 }": { $0["source"].compactMap { Int($0) }.scan(0) { $0 + $1 }.map { "\($0)" } },
    "scan(into: 0) { count, _ in count += 1 }": {
      $0["source"].scan(into: 0) { count, _ in count += 1 }.map { "\($0)" }
    },
    "distinctUntilChanged()": { $0["source"].distinctUntilChanged() },
    "distinctUntilChanged { abs($0 - $1) < 3 }": {
      $0["source"].compactMap { Int($0) }.distinctUntilChanged { abs($0 - $1) < 3 }.map { "\($0)" }
    },
    #"distinctUntilChanged(by: \.lowercase)"#: { $0["source"].distinctUntilChanged(by: \.lowercase) },
    "prefix(2)": { $0["source"].prefix(2) },
    "empty": { _ in .empty },
    #"just("a")"#: { _ in .just("a") },
    #"just("a"), which cannot fail"#: { _ in Observable.just("a").setFailureType(to: MarbleFailure.self) },
    "drop { $0.isLowercase }": { $0["source"].drop { $0 == $0.lowercased() } },
    #"replaceError(with: "x")"#: { $0["source"].replaceError(with: "x").setFailureType(to: MarbleFailure.self) },
    "never": { _ in .never },
    "fail(Silence())": { _ in .fail(MarbleFailure()) },
    "deferred { source }": { inputs in .deferred { [source = inputs["source"]] in source } },
    "interval(.seconds(2))": {
      Observable<Int, Never>.interval(.seconds(2), on: $0.time).setFailureType(to: MarbleFailure.self).map { "\($0)" }
    },
    "timer(after: .seconds(2)), where a is ()": {
      Observable<Void, Never>.timer(after: .seconds(2), on: $0.time).setFailureType(to: MarbleFailure.self).map { "a" }
    },
    "merge([first, second])": { .merge([$0["first"], $0["second"]]) },
    "merge(first, second)": { .merge($0["first"], $0["second"]) },
    "source.merge(with: other)": { $0["source"].merge(with: $0["other"]) },
    "source.merge(), whose values are the streams a and b": { inputs in
      inputs["source"].map { [a = inputs["a"], b = inputs["b"]] in $0 == "a" ? a : b }.merge()
    },
    "source.switchToLatest(), whose values are the streams a and b": { inputs in
      inputs["source"].map { [a = inputs["a"], b = inputs["b"]] in $0 == "a" ? a : b }.switchToLatest()
    },
    "mapError { SensorError($0) }": {
      $0["source"].mapError { _ in Silence() }.mapError { _ in MarbleFailure() }
    },
    "setFailureType(to: ParseError.self).map { x throws(ParseError) in try parse(x) }": {
      $0["source"].catch { _ in Observable<String, Never>([]) }
        .setFailureType(to: MarbleFailure.self)
        .map { text throws(MarbleFailure) in
          if Int(text) == nil { throw MarbleFailure() }
          return text
        }
    },
    "source.catch { _ in other }": { inputs in inputs["source"].catch { [other = inputs["other"]] _ in other } },
    "retry(1)": { $0["source"].retry(1, on: $0.time) },
    "retry(.constant(.seconds(1)))": {
      $0["source"].retry(.constant(.seconds(1)), on: $0.time)
    },
    "prefix { $0.isLowercase }": { $0["source"].prefix { $0 == $0.lowercased() } },
    "dropFirst(2)": { $0["source"].dropFirst(2) },
    #"prepend("a")"#: { $0["source"].prepend("a") },
    #"prepend(["a", "b"])"#: { $0["source"].prepend(["a", "b"]) },
    "handleEvents(onValue: { log($0) })": { $0["source"].handleEvents(onValue: { _ in }) },
    "concat([first, second])": { .concat([$0["first"], $0["second"]]) },
    "concat(first, second)": { .concat($0["first"], $0["second"]) },
    "source.concat(with: other)": { $0["source"].concat(with: $0["other"]) },
    "source.catch { _ in .empty }": { inputs in
      inputs["source"].catch { _ in .empty }.setFailureType(to: MarbleFailure.self)
    },
    "source.concat(), whose values are the streams a and b": { inputs in
      inputs["source"].map { [a = inputs["a"], b = inputs["b"]] in $0 == "a" ? a : b }.concat()
    },
    "combineLatest(first, second), where A is a and 1, B is b and 1, C is b and 2": {
      let pairs: Observable<(String, String), MarbleFailure> = Observable.combineLatest($0["first"], $0["second"])
      return pairs.map { name($0.0 + $0.1, ["a1": "A", "b1": "B", "b2": "C"]) }
    },
    "combineLatest(first, second), where A is a and 1, B is b and 1": {
      Observable.combineLatest($0["first"], $0["second"]).map { name($0.0 + $0.1, ["a1": "A", "b1": "B"]) }
    },
    "combineLatest(first, second, third), where A is a, 1 and x, B is b, 1 and x": {
      Observable.combineLatest($0["first"], $0["second"], $0["third"]).map {
        name($0.0 + $0.1 + $0.2, ["a1x": "A", "b1x": "B"])
      }
    },
    "source.withLatest(from: other), where B is b and 1, C is c and 2": {
      $0["source"].withLatest(from: $0["other"]).map { name($0.0 + $0.1, ["b1": "B", "c2": "C"]) }
    },
    "source.prefix(until: stop)": { inputs in
      inputs["source"].prefix(until: inputs["stop"].catch { _ in Observable<String, Never>([]) })
    },
    "buffer(count: 2), where A is a and b, B is c and d, C is e": {
      $0["source"].buffer(count: 2).map { name($0.joined(), ["ab": "A", "cd": "B", "e": "C"]) }
    },
    "buffer(every: .seconds(3)), where A is a and b, B is c": {
      $0["source"].buffer(every: .seconds(3), on: $0.time).map { name($0.joined(), ["ab": "A", "c": "B"]) }
    },
    "buffer(count: 3, every: .seconds(3)), where A is a, b and c, B is d, C is e": {
      $0["source"].buffer(count: 3, every: .seconds(3), on: $0.time).map {
        name($0.joined(), ["abc": "A", "d": "B", "e": "C"])
      }
    },
    "timestamped(on: time), where A is a at second 0, B is b at second 2": {
      $0["source"].timestamped(on: $0.time).map {
        name("\($0.value)\($0.instant.components.seconds)", ["a0": "A", "b2": "B"])
      }
    },
    "share(), to the first subscriber": { $0["source"].share() },
    "throttle(for: .seconds(3))": { $0["source"].throttle(for: .seconds(3), on: $0.time) },
    "debounce(for: .seconds(2))": { $0["source"].debounce(for: .seconds(2), on: $0.time) },
    "delay(by: .seconds(2))": { $0["source"].delay(by: .seconds(2), on: $0.time) },
    "timeout(after: .seconds(2), failure: Silence())": {
      $0["source"].timeout(after: .seconds(2), on: $0.time, failure: MarbleFailure())
    },
    "source.sample(on: ticks)": { inputs in
      inputs["source"].sample(on: inputs["ticks"].catch { _ in Observable<String, Never>([]) })
    },
    "receive(on: executor), if the executor always has time": { $0["source"].receive(on: InlineTaskExecutor()) },
    "sample(every: .seconds(3))": { $0["source"].sample(every: .seconds(3), on: $0.time) },
  ]

  /// Those that do not, by their remark: what they deliver is checked, not when.
  static let deliveries: [String: @Sendable (Stream) -> Stream] = [
    "task { await search() }, as soon as the operation has returned": { _ in .task { "a" } },
    "task(failingWith: SearchError.self) { … }, as soon as the operation has returned": { _ in
      Observable.task(failingWith: MarbleFailure.self) { () throws(MarbleFailure) in "a" }
    },
    "receive(on: actor), as soon as the actor has time": { $0.receive(on: PlainActor()).stream },
    "receive(on: executor), as soon as the executor has time": { $0.receive(on: InlineSerialExecutor()) },
  ]

  @Test("the diagram in the documentation is what the operator does", arguments: pipelines.keys.sorted())
  func diagramHolds(remark: String) throws {
    let diagram = try DocumentedDiagram.with(remark: remark)
    let pipeline = try #require(Self.pipelines[remark])
    let marbles = Marbles()
    // Of a stream without an end the documentation shows the beginning, and a step in which nothing comes.
    let ends = diagram.result.contains { "|^".contains($0) }
    let result = ends ? diagram.result : diagram.result.dropLast() + ";"
    marbles.expect(pipeline(DocumentedInputs(marbles: marbles, diagrams: diagram.inputs)), result)
  }

  @Test("what the documentation says is delivered on an executor, in that order", arguments: deliveries.keys.sorted())
  func deliveryHolds(remark: String) async throws {
    let diagram = try DocumentedDiagram.with(remark: remark)
    let pipeline = try #require(Self.deliveries[remark])
    let marbles = Marbles()
    let source = marbles.stream(diagram.inputs["source"] ?? "|")
    let events = AsyncStream<String>.makeStream()
    let subscription = pipeline(source).subscribe {
      events.continuation.yield($0)
    } onEnd: { end in
      events.continuation.yield(end == .finished ? "|" : "^")
      events.continuation.finish()
    }
    marbles.time.run()
    var delivered = ""
    for await event in events.stream { delivered += event }
    #expect(delivered == diagram.result.filter { !"-[]".contains($0) })
    _ = subscription
  }

  @Test("every operator has a diagram in its documentation, and every diagram is checked here")
  func nothingIsLeftOut() throws {
    #expect(try DocumentedDiagram.undocumentedOperators() == [])
    let checked = Set(Self.pipelines.keys).union(Self.deliveries.keys)
    #expect(Set(try DocumentedDiagram.all().map(\.remark)) == checked)
  }
}

extension String {
  fileprivate var lowercase: String { lowercased() }
}
