import Foundation
import TestSupport
import Testing

@testable import Playground

@Suite("Input", .endsInTime)
struct InputTests {
  @Test("what comes after a cancellation is left to the next reader, as the shell behind a program that has ended")
  func cancelled() async throws {
    for round in 0..<20 {
      let pipe = Pipe()
      let descriptor = pipe.fileHandleForReading.fileDescriptor
      let input = try Input(path: "/dev/fd/\(descriptor)")
      let hasFirst = Flag()
      let reading = Task {
        var count = 0
        for try await chunk in input {
          count += chunk.count
          hasFirst.raise()
        }
        return count
      }
      try pipe.fileHandleForWriting.write(contentsOf: [1])
      #expect(await eventually { hasFirst.isRaised })
      // The reader is about to wait for more, or waits for it.
      for _ in 0..<(10 * round) { await Task.yield() }
      reading.cancel()
      try pipe.fileHandleForWriting.write(contentsOf: [2, 3])
      #expect(try await reading.value == 1)
      #expect(pipe.fileHandleForReading.availableData == Data([2, 3]))
    }
  }
}
