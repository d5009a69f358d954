import NIOCore
import Testing

@testable import RASPNATS

struct OutboxCapacity {
  private func publish(_ bytes: Int) -> SessionCommand {
    .publish(NATSRequest(ByteBuffer(repeating: 0, count: bytes), to: "a"), reply: nil)
  }

  @Test func aWriterWaitsUntilThereIsCapacity() async throws {
    let outbox = Outbox(limit: 100)
    outbox.connected(to: NATSServerInfo())
    #expect(try outbox.put(publish(60), bytes: 60).wake)
    #expect(try outbox.put(publish(60), bytes: 60).wait)
    async let waiting = outbox.waitForCapacity()
    outbox.release(bytes: 60)
    #expect(await waiting)
    #expect(try outbox.put(publish(40), bytes: 40).wait == false)
    var commands: [SessionCommand] = []
    outbox.take(into: &commands)
    #expect(commands.count == 3)
    #expect(try outbox.put(publish(1), bytes: 1).wake)
  }

  @Test func withoutAConnectionThereIsCapacityForSomeAndNothingIsLostSilently() async throws {
    let outbox = Outbox(limit: 100)
    outbox.disconnected(.closed)
    #expect(try outbox.put(publish(60), bytes: 60).wake)
    let error = #expect(throws: NATSError.self) { try outbox.put(publish(60), bytes: 60) }
    guard case .disconnected = error else {
      Issue.record("It is the error of no connection, not \(String(describing: error)).")
      return
    }
    #expect(await outbox.waitForCapacity())
    #expect(outbox.close().count == 1)
    #expect(throws: NATSError.closed) { try outbox.put(publish(1), bytes: 1) }
    #expect(throws: NATSError.closed) { try outbox.put(.close(nil), bytes: 0) }
  }

  @Test func aWriterThatWaitsEndsWithItsTask() async throws {
    let outbox = Outbox(limit: 1)
    outbox.connected(to: NATSServerInfo())
    #expect(try outbox.put(publish(60), bytes: 60).wait)
    let waiting = Task { await outbox.waitForCapacity() }
    waiting.cancel()
    #expect(await waiting.value == false)
    outbox.release(bytes: 60)
  }

  @Test func aWriterThatWaitsGoesOnWhenTheConnectionEnds() async throws {
    let outbox = Outbox(limit: 1)
    outbox.connected(to: NATSServerInfo())
    #expect(try outbox.put(publish(60), bytes: 60).wait)
    async let waiting = outbox.waitForCapacity()
    outbox.disconnected(.closed)
    #expect(await waiting)
  }
}
