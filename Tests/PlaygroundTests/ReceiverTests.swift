import Foundation
import RASPTesting
import Streams
import TestSupport
import Testing

@testable import Playground

@Suite("The input of a receiver", .endsInTime)
struct ReceiverTests {
  @Test("an input goes on where its last reader was cancelled")
  func readAgain() async throws {
    let pipe = Pipe()
    let input = try Input(path: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")
    try pipe.fileHandleForWriting.write(contentsOf: Array("one".utf8))
    let first = input.makeAsyncIterator()
    #expect(try await first.next() == Array("one".utf8))
    let waiting = Task {
      let second = input.makeAsyncIterator()
      return try await second.next()
    }
    waiting.cancel()
    #expect(try await waiting.value == nil)
    try pipe.fileHandleForWriting.write(contentsOf: Array("two".utf8))
    let third = input.makeAsyncIterator()
    #expect(try await third.next() == Array("two".utf8))
    try pipe.fileHandleForWriting.close()
    #expect(try await third.next() == nil)
  }

  /// A terminal without a screen, and the path of its other end.
  private func pseudoTerminal() throws -> (descriptor: Int32, path: String) {
    // The module of the C library on Linux leaves these functions out.
    func function<Function>(_ name: String, as type: Function.Type) throws -> Function {
      unsafeBitCast(try #require(dlsym(dlopen(nil, RTLD_NOW), name)), to: type)
    }
    typealias Call = @convention(c) (Int32) -> Int32
    typealias Name = @convention(c) (Int32) -> UnsafeMutablePointer<CChar>?
    let descriptor = try function("posix_openpt", as: Call.self)(O_RDWR | O_NOCTTY)
    for name in ["grantpt", "unlockpt"] { #expect(try function(name, as: Call.self)(descriptor) == 0) }
    return (descriptor, String(cString: try #require(try function("ptsname", as: Name.self)(descriptor))))
  }

  @Test("a serial line on which nothing comes is opened at once, read when something comes, and named when it goes")
  func serialLine() async throws {
    let (controller, path) = try pseudoTerminal()
    let (file, scheduler) = (try OutputFile(), VirtualScheduler())
    let scenario = GeoScenario(
      path: path,
      realTime: false,
      options: Options(json: true),
      scheduler: scheduler,
      interrupts: .merge([])
    )
    let run = Task { try await scenario.run(output: file.output) }
    #expect(await eventually { scheduler.pending.count >= 1 })
    Output(descriptor: controller).write(String(decoding: line("SDDPT,5.0,,") + [13, 10], as: UTF8.self))
    try await file.wait(for: #"{"field":"depth","value":5.0}"#)
    close(controller)
    // Linux says that such a line has failed, Apple systems that it has ended.
    if case .failure(let error) = await run.result {
      #expect((error as? RunFailure)?.message.contains("check the file, or the device and its cable") == true)
    }
    let summary = try #require(try file.objects().last?["summary"] as? [String: Any])
    #expect((summary["events"] as? [String: Int])?["depth"] == 1)
  }
}
