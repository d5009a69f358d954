import Aggregate
import RASPServer
import RASPTesting
import ServiceLifecycle
import Streams
import Testing

@Suite("server-sent events", .timeLimit(.minutes(5)))
struct ServerSentEventsTests {
  @Test(
    "LOAD-86: an event has the bytes of the standard",
    arguments: [
      (ServerSentEvent("a"), "data: a\n\n"),
      (ServerSentEvent(""), "data: \n\n"),
      (ServerSentEvent("a\nb\r\nc\rd\n"), "data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n"),
      (ServerSentEvent("a\u{2028}b"), "data: a\u{2028}b\n\n"),
      (ServerSentEvent("a", event: "tick", id: "7"), "event: tick\nid: 7\ndata: a\n\n"),
      (ServerSentEvent("a", event: "x\ndata: y", id: "1\u{0}\r2"), "event: xdata: y\nid: 12\ndata: a\n\n"),
      (ServerSentEvent(retry: .milliseconds(1_500)), "retry: 1500\n\n"),
      (ServerSentEvent(retry: .seconds(-1)), "retry: 0\n\n"),
      (ServerSentEvent("ä – 語"), "data: ä – 語\n\n"),
    ]
  )
  func bytes(event: ServerSentEvent, text: String) {
    #expect(String(decoding: event.bytes, as: UTF8.self) == text)
  }

  @Test("LOAD-87: a slow reader gets the newest value, and several events of a value are one piece")
  func newest() async throws {
    let counter = Aggregator(initial: Count())
    let events = counter.select(\.value).values.serverSentEvents { value in
      [ServerSentEvent("\(value)"), ServerSentEvent("\(value * 2)", event: "double")]
    }
    var pieces = events.makeAsyncIterator()
    #expect(await text(&pieces) == "data: 0\n\nevent: double\ndata: 0\n\n")
    for value in 1...1_000 { counter.send(value) }
    #expect(await text(&pieces) == "data: 1000\n\nevent: double\ndata: 2000\n\n")
    counter.finish()
    #expect(await text(&pieces) == nil)
    #expect(await text(&pieces) == nil)
  }

  @Test("LOAD-88: in silence a comment comes, and a value that was asked for before it is not lost")
  func heartbeat() async throws {
    let time = VirtualScheduler()
    let counter = Aggregator(initial: Count())
    let events = counter.select(\.value).values.serverSentEvents(heartbeat: .seconds(15), on: time) {
      [ServerSentEvent("\($0)")]
    }
    var pieces = events.makeAsyncIterator()
    #expect(await text(&pieces) == "data: 0\n\n")
    for round in 1...3 {
      async let beat: Void = {
        while time.pending.isEmpty { try? await Task.sleep(for: .milliseconds(1)) }
        time.advance(by: .seconds(15))
      }()
      #expect(await text(&pieces) == ":\n\n")
      await beat
      counter.send(round)
      #expect(await text(&pieces) == "data: \(round)\n\n")
    }
  }

  @Test("LOAD-89 ★: each value is given once and in order, however comments fall in between")
  func random() async throws {
    for round in 0..<20 {
      let (producers, given) = AsyncStream<Producer<Int, Never>>.makeStream()
      let values = Observable<Int, Never> { given.yield($0) }
      // A period of nothing makes a comment due at each question.
      let events = values.values(buffering: .unbounded)
        .serverSentEvents(heartbeat: .zero) { $0 % 5 == 4 ? [] : [ServerSentEvent("\($0)")] }
      var pieces = events.makeAsyncIterator()
      #expect(await text(&pieces) == ":\n\n")
      let producer = try #require(await producers.first { _ in true })
      Task.detached {
        for value in 0..<200 {
          producer.send(value)
          if (value * 7 + round) % 11 == 0 { await Task.yield() }
        }
        producer.finish()
      }
      var read: [String] = []
      while let piece = await text(&pieces) {
        if piece != ":\n\n" { read.append(piece) }
      }
      #expect(read == (0..<200).filter { $0 % 5 != 4 }.map { "data: \($0)\n\n" })
    }
  }

  @Test("LOAD-90: a stream ends with its task, and releases what it reads; a failure is thrown")
  func ends() async throws {
    let log = SubscriptionLog()
    let events = Observable<Int, Never>.never.prepend(1).recordingSubscriptions(in: log).values(buffering: .unbounded)
      .serverSentEvents { [ServerSentEvent("\($0)")] }
    let reader = Task {
      var count = 0
      for await _ in events { count += 1 }
      return count
    }
    while log.activeCount == 0 { try? await Task.sleep(for: .milliseconds(1)) }
    reader.cancel()
    #expect(await reader.value <= 1)
    while log.activeCount > 0 { try? await Task.sleep(for: .milliseconds(1)) }

    let failing = Observable<Int, Broken>.fail(Broken(name: "source")).prepend(1).values(buffering: .unbounded)
      .serverSentEvents { [ServerSentEvent("\($0)")] }
    var pieces = failing.makeAsyncIterator()
    #expect(try await pieces.next() != nil)
    await #expect(throws: Broken(name: "source")) { try await pieces.next() }
  }

  private func text<Base>(_ pieces: inout ServerSentEvents<Base>.AsyncIterator) async -> String?
  where Base.Failure == Never {
    await pieces.next().map { String(decoding: $0, as: UTF8.self) }
  }
}
