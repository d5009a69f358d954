import Aggregate
import Foundation
import RASPJournal
import TestSupport
import Testing

@testable import Playground

@Suite("On a terminal", .endsInTime, .enabled(if: Tmux.canRun, "tmux is not installed"))
struct TerminalTests {
  @Test("the dashboard is drawn in place at every size, and nothing is left of it")
  func sizes() async throws {
    let folder = try TemporaryFolder()
    await onThread { Self.resize(folder) }
  }

  private static func resize(_ folder: TemporaryFolder) {
    let terminal = Tmux("$PLAYGROUND --seconds 0", in: folder)
    terminal.wait(for: "processor")
    for size in [[20, 5], [40, 10], [100, 24], [200, 50], [20, 5]] {
      terminal.resize(columns: size[0], rows: size[1])
      terminal.wait { isDrawn($0.lines, columns: size[0]) }
      #expect(terminal.isTaken)
    }
    terminal.resize(columns: 100, rows: 40)
    terminal.quit()
    terminal.wait(taken: false)
    // The last size may reach the terminal later than the line, so it must not matter where a line of the answer ends.
    terminal.type("stty -a | tr ' ' '\\n'")
    terminal.wait { $0.lines.contains("icanon") && $0.lines.contains("echo") }
  }

  /// Whether the picture begins in the first line, is there once, and is the one for this width.
  private static func isDrawn(_ lines: [String], columns: Int) -> Bool {
    let titles = lines.count { $0.contains("This machine") }
    let hasHeader = lines.contains { $0.contains("SOURCES") }
    let hasMemory = lines.contains { $0.contains("memory") }
    return lines.first?.hasPrefix("This machine") == true && titles == 1 && hasMemory && hasHeader == (columns >= 90)
  }

  @Test("a source fails and comes back, time goes back and on, and a page is written")
  func keys() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("$PLAYGROUND --seconds 0", columns: 120, in: folder)
      // The picture is there before the sources are, which the keys are for.
      terminal.wait(for: "/s ▶")
      terminal.press("2")
      terminal.wait(for: "retrying")
      terminal.wait(forNo: "retrying")
      terminal.press("Left")
      terminal.wait(for: "⏸")
      terminal.press("Space")
      terminal.wait(forNo: "⏸")
      terminal.press("?")
      terminal.wait(for: "quit")
      terminal.press("Escape")
      terminal.press("w")
      terminal.wait(for: "events is in system.html")
      terminal.quit()
    }
    #expect(try folder.text("system.html").hasPrefix("<!doctype html>"))
  }

  @Test("a program that is stopped gives the terminal back, and takes it again when it goes on")
  func stopped() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("$PLAYGROUND --seconds 0", in: folder)
      terminal.wait(for: "processor")
      terminal.press("C-z")
      terminal.wait(for: "Stopped")
      #expect(!terminal.isTaken)
      terminal.type("fg")
      terminal.wait(taken: true)
      terminal.wait(for: "processor")
      terminal.quit()
      terminal.wait(taken: false)
    }
  }

  @Test("when the terminal is closed the run ends in order")
  func closed() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("$PLAYGROUND --seconds 0 --record run.rasp", in: folder)
      // The picture is there before the sources are: until then, a signal ends the program at once.
      terminal.wait(for: "/s ▶")
      terminal.close()
      block { FileManager.default.fileExists(atPath: folder.path("run.rasp")) }
    }
    let recording = try Recording<SystemState>(contentsOf: folder.path("run.rasp"))
    #expect(recording.state.hasEnded)
  }

  @Test("the picture of the ticker is a screen of its own, too")
  func ticker() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("$PLAYGROUND ticker", columns: 80, in: folder)
      terminal.wait(for: "all symbols")
      #expect(terminal.isTaken)
      terminal.resize(columns: 20, rows: 5)
      terminal.wait { $0.lines.first?.hasPrefix("10000 symbols") == true }
      terminal.press("C-c")
      terminal.wait(taken: false)
    }
  }

  @Test("without colours, and on a terminal that cannot draw, there are none")
  func plain() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("TERM=dumb $PLAYGROUND --seconds 1", rows: 40, in: folder)
      terminal.wait(for: "Summary")
      #expect(!terminal.lines.contains { $0.contains("SOURCES") })
      #expect(terminal.lines.contains { $0.hasPrefix("memory  ") })
    }
  }

  @Test("a standard output that is closed is named")
  func closedOutput() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("$PLAYGROUND >&-", in: folder)
      terminal.wait(for: "standard output is closed")
    }
  }
}
