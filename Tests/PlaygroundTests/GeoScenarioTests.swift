import Foundation
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Playground

@Suite("The scenario geo", .endsInTime)
struct GeoScenarioTests {
  /// The lines that a replay of a recording writes.
  private func replay(_ path: String, json: Bool = true) async throws -> OutputFile {
    let file = try OutputFile()
    try await scenario(path, json: json).run(output: file.output)
    return file
  }

  private func scenario(
    _ path: String,
    json: Bool = true,
    realTime: Bool = false,
    scheduler: VirtualScheduler = VirtualScheduler(),
    interrupts: Observable<Void, Never> = .merge([])
  ) -> GeoScenario {
    GeoScenario(
      path: path,
      realTime: realTime,
      options: Options(json: json),
      scheduler: scheduler,
      interrupts: interrupts
    )
  }

  private func summary(_ objects: [[String: Any]]) throws -> [String: Any] {
    try #require(objects.last?["summary"] as? [String: Any])
  }

  // MARK: Replay

  @Test("a recording in order is folded to its last values")
  func harbour() async throws {
    let objects = try await replay(recording("harbour")).objects()
    let summary = try summary(objects)
    #expect(summary["sentences"] as? Int == 91)
    #expect(summary["rejected"] as? Int == 0)
    #expect(summary["unknown"] as? Int == 13)

    let state = try #require(summary["state"] as? [String: Any])
    #expect(state["heading"] as? Double == 2.2)
    #expect(state["latitude"] as? Double == 43.33522)
    #expect(state["longitude"] as? Double == -7.208205)
    #expect(state["speed"] as? Double == 3.653)
    #expect(state["course"] as? Double == 2)
    #expect(state["depth"] as? Double == 9.5)
  }

  @Test("the summary counts events by kind, snapshots and changes by field")
  func counts() async throws {
    let objects = try await replay(recording("harbour")).objects()
    let summary = try summary(objects)
    let events = try #require(summary["events"] as? [String: Int])
    #expect(events["heading"] == 24)
    #expect(events["fix"] == 12)
    #expect(events["depth"] == 18)
    #expect(events["wind"] == 24)
    #expect(events["time"] == 11)
    #expect(summary["snapshots"] as? Int == events.values.reduce(1, +))

    let changes = try #require(summary["changes"] as? [String: Int])
    for field in FieldChange.navigationFields {
      #expect(changes[field] == objects.count { $0["field"] as? String == field })
    }
    #expect(changes["depth"] == 6)
    #expect(changes["wind"] == 12)
  }

  @Test("every line of JSON is one object with one of the known fields, the summary comes last")
  func shapes() async throws {
    let objects = try await replay(recording("harbour")).objects()
    let fields = Set(FieldChange.navigationFields)
    #expect(objects.dropLast().allSatisfy { fields.contains($0["field"] as? String ?? "") })
    #expect(objects.dropLast().allSatisfy { $0["summary"] == nil })
    #expect(objects.last?.keys.sorted() == ["summary"])
  }

  @Test("damage of every sort is counted and leaves the rest alone")
  func damaged() async throws {
    let objects = try await replay(recording("damaged")).objects()
    let summary = try summary(objects)
    #expect(summary["sentences"] as? Int == 16)
    #expect(summary["rejected"] as? Int == 6)
    #expect(summary["unknown"] as? Int == 1)
    #expect(summary["empty"] as? Int == 2)
    #expect(summary["noise"] as? Int == 6)
    #expect(summary["noiseBytes"] as? Int == 5_020)

    let state = try #require(summary["state"] as? [String: Any])
    #expect(state["depth"] as? Double == 3.5)
    #expect(state["heading"] as? Double == 200)
    #expect(state["latitude"] is NSNull)
    #expect((state["wind"] as? [String: Any])?["speed"] as? Double == 10)
  }

  @Test("a compass that falls silent goes stale by the time in the recording, then the lesser one is heard")
  func silentCompass() async throws {
    let lines = try await replay(recording("silent-compass")).lines()
    #expect(
      lines.filter { $0.contains(#""field":"heading""#) } == [
        #"{"field":"heading","value":45.0,"reference":"true"}"#,
        #"{"field":"heading","value":null,"reference":null}"#,
        #"{"field":"heading","value":40.0,"reference":"magnetic"}"#,
      ]
    )
  }

  @Test("a replay writes the same every time")
  func deterministic() async throws {
    let first = try await replay(recording("silent-compass")).lines()
    let second = try await replay(recording("silent-compass")).lines()
    #expect(first == second)
  }

  @Test("text is a line per field change, then the final state and the summary")
  func text() async throws {
    let lines = try await replay(recording("silent-compass"), json: false).lines()
    #expect(lines.first == "heading      45.0° true")
    #expect(lines.contains("heading      unknown"))
    #expect(lines.contains("Final state"))
    #expect(lines.contains("  heading      40.0° magnetic"))
    #expect(lines.contains("  rejected     0, of which 0 by their checksum and 0 by their shape"))
  }

  @Test("sentences are found behind foreign bytes and behind a second $, and what is skipped is counted")
  func resynchronised() async throws {
    let folder = try TemporaryFolder()
    var bytes: [UInt8] = [0xFF] + line("SDDPT,5.0,,") + [10]
    bytes += Array("$".utf8) + line("HCHDM,10,M") + [10]
    bytes += Array("$GPGGA,1015".utf8) + line("WIMWV,57.5,R,10.0,M,A") + [10]
    try Data(bytes).write(to: URL(filePath: folder.path("odd.nmea")))
    let summary = try summary(try await replay(folder.path("odd.nmea")).objects())
    let state = try #require(summary["state"] as? [String: Any])
    #expect(state["depth"] as? Double == 5)
    #expect(state["heading"] as? Double == 10)
    #expect((state["wind"] as? [String: Any])?["speed"] as? Double == 10)
    #expect(summary["rejected"] as? Int == 1)
    #expect(summary["noise"] as? Int == 2)
    #expect(summary["noiseBytes"] as? Int == 2)
  }

  @Test("a recording in which every sentence begins with two $ gives its position")
  func doubled() async throws {
    let folder = try TemporaryFolder()
    let bodies = ["GPRMC,101500,A,5130.0000,N,00415.0000,W,10.0,87.5,010124,2.0,W,A", "SDDPT,5.0,,"]
    let bytes: [UInt8] = bodies.flatMap { body -> [UInt8] in Array("$".utf8) + line(body) + [13, 10] }
    try Data(bytes).write(to: URL(filePath: folder.path("doubled.nmea")))
    let summary = try summary(try await replay(folder.path("doubled.nmea")).objects())
    let state = try #require(summary["state"] as? [String: Any])
    #expect(state["latitude"] as? Double == 51.5 && state["longitude"] as? Double == -4.25)
    #expect(state["depth"] as? Double == 5 && summary["rejected"] as? Int == 0)
  }

  @Test("a position of a simulator is none, whatever the other sentences of its talker say")
  func simulated() async throws {
    let folder = try TemporaryFolder()
    let bodies = [
      "GPGGA,101500,5130.0000,N,00415.0000,E,8,08,1.0,3,M,46,M,,", "GPGLL,5130.0000,N,00415.0000,E,101500,A,A",
      "GPVTG,87.5,T,85.0,M,10.0,N,18.5,K,A",
    ]
    let bytes: [UInt8] = bodies.flatMap { body -> [UInt8] in line(body) + [10] }
    try Data(bytes).write(to: URL(filePath: folder.path("simulated.nmea")))
    let summary = try summary(try await replay(folder.path("simulated.nmea")).objects())
    let state = try #require(summary["state"] as? [String: Any])
    #expect(state["latitude"] is NSNull && state["speed"] is NSNull && state["fix"] is NSNull)
  }

  @Test("a speed of a receiver that says it has no fix is none")
  func voidSpeed() async throws {
    let folder = try TemporaryFolder()
    let bodies = ["GPRMC,101500,V,,,,,,,010124,,", "GPVTG,87.5,T,85.0,M,10.0,N,18.5,K"]
    let bytes: [UInt8] = bodies.flatMap { body -> [UInt8] in line(body) + [10] }
    try Data(bytes).write(to: URL(filePath: folder.path("void.nmea")))
    let summary = try summary(try await replay(folder.path("void.nmea")).objects())
    let state = try #require(summary["state"] as? [String: Any])
    #expect(state["speed"] is NSNull && state["course"] is NSNull)
    #expect(summary["empty"] as? Int == 2)
  }

  // MARK: Input

  @Test("a pipe to which nothing is written ends with the time, and holds nothing before")
  func silentPipe() async throws {
    let (folder, file, scheduler) = (try TemporaryFolder(), try OutputFile(), VirtualScheduler())
    let path = folder.path("pipe")
    #expect(mkfifo(path, 0o600) == 0)
    let scenario = GeoScenario(
      path: path,
      realTime: false,
      options: Options(duration: .seconds(1), json: true),
      scheduler: scheduler,
      interrupts: .merge([])
    )
    let run = Task { try await scenario.run(output: file.output) }
    #expect(await eventually { scheduler.pending.count >= 2 })
    scheduler.advance(by: .seconds(1))
    try await run.value
    #expect(try summary(file.objects())["sentences"] as? Int == 0)
  }

  @Test("an empty file has a summary, too")
  func emptyFile() async throws {
    let summary = try summary(try await replay("/dev/null").objects())
    #expect(summary["sentences"] as? Int == 0)
    #expect((summary["state"] as? [String: Any])?["heading"] is NSNull)
  }

  @Test(
    "what cannot be read is told in one line that names it",
    arguments: ["/nowhere/at/all", "/", "/tmp", "\u{0}"]
  )
  func unreadable(path: String) async throws {
    let file = try OutputFile()
    let failure = await #expect(throws: RunFailure.self) { try await scenario(path).run(output: file.output) }
    #expect(failure?.status == .noInput)
    #expect(failure?.message.contains("cannot read") == true)
    #expect(try file.lines() == [""])
  }

  // MARK: Time

  @Test("a receiver that falls silent goes stale by the clock on the wall, and the end of input ends the run")
  func live() async throws {
    let (file, pipe, scheduler) = (try OutputFile(), Pipe(), VirtualScheduler())
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    let scenario = scenario(path, scheduler: scheduler)
    let run = Task { try await scenario.run(output: file.output) }

    try pipe.fileHandleForWriting.write(contentsOf: line("SDDPT,5.0,,") + [13, 10])
    try await file.wait(for: #"{"field":"depth","value":5.0}"#)
    scheduler.advance(by: NavigationState.lifetime)
    scheduler.advance(by: .seconds(1))
    try await file.wait(for: #"{"field":"depth","value":null}"#)

    try pipe.fileHandleForWriting.close()
    try await run.value
    let objects = try file.objects()
    #expect(objects.count == 3)
    #expect(try (summary(objects)["state"] as? [String: Any])?["depth"] is NSNull)
  }

  @Test("an interrupt ends a run with its summary")
  func interrupt() async throws {
    let (file, pipe, interrupts) = (try OutputFile(), Pipe(), Subject<Void, Never>())
    let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
    let scenario = scenario(path, interrupts: interrupts.observable)
    let run = Task { try await scenario.run(output: file.output) }

    try pipe.fileHandleForWriting.write(contentsOf: line("SDDPT,5.0,,") + [10])
    try await file.wait(for: #"{"field":"depth","value":5.0}"#)
    interrupts.send(())
    try await run.value
    #expect(try summary(file.objects())["sentences"] as? Int == 1)
    try pipe.fileHandleForWriting.close()
  }

  @Test("in real time a recording takes as long as it lasts")
  func realTime() async throws {
    let (file, scheduler) = (try OutputFile(), VirtualScheduler())
    let scenario = scenario(try recording("harbour"), realTime: true, scheduler: scheduler)
    let run = Task { try await scenario.run(output: file.output) }

    // Two things wait for time: the clock, and the recording, until it has been read to its end.
    for second in 1...11 {
      #expect(await eventually { scheduler.pending.count >= 2 })
      #expect(scheduler.pending == [.seconds(second), .seconds(second)])
      scheduler.advance(to: .seconds(second))
    }
    try await run.value
    #expect(scheduler.now == .seconds(11))
    #expect(try summary(file.objects())["sentences"] as? Int == 91)
  }
}
