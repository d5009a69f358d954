import Foundation
import RASPPrimitives
import Streams

/// A process that keeps processors busy.
struct BusyProcess: Codable, Equatable, Sendable {
  var name: String
  /// How many processors it has kept busy: 1 for one of them all the time.
  var share: Double
}

/// How long a process has run on processors since it started, in ticks.
struct ProcessTimes: Equatable, Sendable {
  var id: Int
  var name: String
  var ticks: UInt64
}

extension ProcessTimes {
  /// Reads `/proc/1234/stat`: the number, the name in parentheses, which may hold any character, a letter, and numbers,
  /// of which the twelfth and the thirteenth are the ticks in user mode and in the kernel.
  init?(procStat text: String) {
    guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"), open < close else { return nil }
    let numbers = text[text.index(after: close)...].words
    guard
      let id = Int(text[..<open].words.first ?? ""), numbers.count > 12,
      let user = UInt64(numbers[11]), let kernel = UInt64(numbers[12])
    else { return nil }
    self.init(id: id, name: String(text[text.index(after: open)..<close]), ticks: user &+ kernel)
  }

  /// All processes that this system tells of; on Apple systems none.
  static func readAll() -> [ProcessTimes] {
    #if canImport(Darwin)
      return []
    #else
      return SystemFile.paths(matching: "/proc/[0-9]*/stat").compactMap { path in
        SystemFile.text(path).flatMap(ProcessTimes.init(procStat:))
      }
    #endif
  }
}

/// Finds the busiest processes since it was asked the last time.
///
/// Safe to share: the last reading is behind a lock.
final class ProcessMeter: Sendable {
  private static let shownCount = 3

  private let last = Lock<(ticks: [Int: UInt64], time: Duration)?>(nil)

  /// - Returns: the busiest first; `nil` if this system does not tell, or the first time.
  func busiest(of processes: [ProcessTimes], at time: Duration, ticksPerSecond: Double = ProcessMeter.clockTicks)
    -> [BusyProcess]?
  {
    guard !processes.isEmpty else { return nil }
    let now = Dictionary(processes.map { ($0.id, $0.ticks) }) { first, _ in first }
    let before = last.withLock { last in
      defer { last = (now, time) }
      return last
    }
    guard let before, time > before.time else { return nil }
    let seconds = (time - before.time) / .seconds(1)
    let busy = processes.compactMap { process -> BusyProcess? in
      // A number may be given to a new process.
      guard let ticks = before.ticks[process.id], process.ticks > ticks else { return nil }
      return BusyProcess(name: process.name, share: Double(process.ticks - ticks) / ticksPerSecond / seconds)
    }
    return Array(busy.sorted { $0.share > $1.share }.prefix(Self.shownCount))
  }

  static let clockTicks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
}
