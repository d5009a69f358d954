import FleetProcesses
import Foundation
import Synchronization
import Testing

struct ChildProcessTests {
  @Test("lines go to the child and come back", .timeLimit(.minutes(10)))
  func lines() async throws {
    let (lines, heard) = AsyncStream.makeStream(of: String.self)
    let child = try await ChildProcess("/bin/cat", []) { heard.yield($0) }
    child.tell("one")
    child.tell("two")
    var iterator = lines.makeAsyncIterator()
    #expect(await iterator.next() == "one")
    #expect(await iterator.next() == "two")
    #expect(child.isRunning)
    child.send(signal: SIGKILL)
    #expect(await child.end() == SIGKILL)
    #expect(!child.isRunning)
  }

  @Test("its status is known, also if it has ended before it is asked", .timeLimit(.minutes(10)))
  func status() async throws {
    let child = try await ChildProcess("/bin/sh", ["-c", "exit 7"])
    #expect(await child.end() == 7)
    #expect(await child.end() == 7)
  }

  @Test("a child that is stopped runs, goes on, and ends in order", .timeLimit(.minutes(10)))
  func stopped() async throws {
    let (lines, heard) = AsyncStream.makeStream(of: String.self)
    let child = try await ChildProcess("/bin/sh", ["-c", "read line; echo $line; exit 3"]) { heard.yield($0) }
    child.send(signal: SIGSTOP)
    child.tell("go on")
    #expect(child.isRunning)
    child.send(signal: SIGCONT)
    var iterator = lines.makeAsyncIterator()
    #expect(await iterator.next() == "go on")
    #expect(await child.end() == 3)
    child.send(signal: SIGKILL)
    child.tell("nobody")
  }

  @Test("a program that is not there is an error")
  func missing() async {
    await #expect(throws: (any Error).self) { try await ChildProcess("/no/such/program", []) }
  }

  @Test("a configuration has what was asked for, and nothing else")
  func configuration() {
    var configuration = BrokerConfiguration(name: "n1", port: 4222)
    #expect(!configuration.text(folder: "/tmp").contains("cluster"))
    configuration.more = "pid_file: \"FOLDER/pid\""
    configuration.cluster = (6222, [6222, 6223])
    #expect(
      configuration.text(folder: "/tmp") == """
        server_name: "n1"
        listen: "127.0.0.1:4222"
        jetstream { store_dir: "/tmp/store" }
        cluster { name: "storm", listen: "127.0.0.1:6222", routes: ["nats://127.0.0.1:6222", "nats://127.0.0.1:6223"] }
        pid_file: "/tmp/pid"

        """
    )
  }
}
