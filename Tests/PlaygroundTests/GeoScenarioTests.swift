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

  /// A member of a field of the final state; `nil` if it is not known.
  private func value(_ field: String, _ member: String = "value", in summary: [String: Any]) throws -> Double? {
    let state = try #require(summary["state"] as? [String: [String: Any]])
    return try #require(state[field])[member] as? Double
  }

  private func count(_ event: String, in summary: [String: Any]) -> Int? {
    (summary["events"] as? [String: Int])?[event]
  }

  // MARK: Replay

  @Test("a recording in order is folded to its last values")
  func harbour() async throws {
    let objects = try await replay(recording("harbour")).objects()
    let summary = try summary(objects)
    let events = try #require(summary["events"] as? [String: Int])
    #expect(events["rejected"] == 0 && events["unknown"] == 13)
    #expect(try value("heading", in: summary) == 2.2)
    #expect(try value("location", "latitude", in: summary) == 43.33522)
    #expect(try value("location", "longitude", in: summary) == -7.208205)
    #expect(try value("speed", in: summary) == 3.653)
    #expect(try value("course", in: summary) == 2)
    #expect(try value("depth", in: summary) == 9.5)
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
    #expect(count("rejected", in: summary) == 6)
    #expect(count("noise", in: summary) == 6)
    #expect(try value("depth", in: summary) == 3.5)
    #expect(try value("heading", in: summary) == 200)
    #expect(try value("location", "latitude", in: summary) == nil)
    #expect(try value("wind", "speed", in: summary) == 10)
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
  }

  @Test("sentences are found behind foreign bytes and behind a second $, and what is skipped is counted")
  func resynchronised() async throws {
    let folder = try TemporaryFolder()
    var bytes: [UInt8] = [0xFF] + line("SDDPT,5.0,,") + [10]
    bytes += Array("$".utf8) + line("HCHDM,10,M") + [10]
    bytes += Array("$GPGGA,1015".utf8) + line("WIMWV,57.5,R,10.0,M,A") + [10]
    try Data(bytes).write(to: URL(filePath: folder.path("odd.nmea")))
    let summary = try summary(try await replay(folder.path("odd.nmea")).objects())
    #expect(try value("depth", in: summary) == 5)
    #expect(try value("heading", in: summary) == 10)
    #expect(try value("wind", "speed", in: summary) == 10)
    #expect(count("rejected", in: summary) == 1 && count("noise", in: summary) == 2)
  }

  @Test("a recording in which every sentence begins with two $ gives its position")
  func doubled() async throws {
    let folder = try TemporaryFolder()
    let bodies = ["GPRMC,101500,A,5130.0000,N,00415.0000,W,10.0,87.5,010124,2.0,W,A", "SDDPT,5.0,,"]
    let bytes: [UInt8] = bodies.flatMap { body -> [UInt8] in Array("$".utf8) + line(body) + [13, 10] }
    try Data(bytes).write(to: URL(filePath: folder.path("doubled.nmea")))
    let summary = try summary(try await replay(folder.path("doubled.nmea")).objects())
    #expect(try value("location", "latitude", in: summary) == 51.5)
    #expect(try value("location", "longitude", in: summary) == -4.25)
    #expect(try value("depth", in: summary) == 5)
    #expect(count("rejected", in: summary) == 0)
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
    #expect(try count("depth", in: summary(file.objects())) == 0)
  }

  @Test("an empty file has a summary, too")
  func emptyFile() async throws {
    let summary = try summary(try await replay("/dev/null").objects())
    #expect(try value("heading", in: summary) == nil)
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
    scheduler.advance(by: Fresh<Double>.lifetime)
    scheduler.advance(by: .seconds(1))
    try await file.wait(for: #"{"field":"depth","value":null}"#)

    try pipe.fileHandleForWriting.close()
    try await run.value
    let objects = try file.objects()
    #expect(objects.count == 3)
    #expect(try value("depth", in: summary(objects)) == nil)
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
    #expect(try count("depth", in: summary(file.objects())) == 1)
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
    #expect(try count("fix", in: summary(file.objects())) == 12)
  }
}
