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
      terminal.wait { isDrawn($0.lines) }
      #expect(terminal.isTaken)
    }
    terminal.resize(columns: 100, rows: 40)
    terminal.quit()
    terminal.wait(taken: false)
    // The last size may reach the terminal later than the line, so it must not matter where a line of the answer ends.
    terminal.type("stty -a | tr ' ' '\\n'")
    terminal.wait { $0.lines.contains("icanon") && $0.lines.contains("echo") }
  }

  /// Whether the picture begins in the first line, and is there once.
  private static func isDrawn(_ lines: [String]) -> Bool {
    lines.first?.hasPrefix("This machine") == true && lines.count { $0.contains("This machine") } == 1
      && lines.contains { $0.hasPrefix("memory") }
  }

  @Test("a source fails and comes back, and a page is written")
  func keys() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("$PLAYGROUND --seconds 0", in: folder)
      // The picture is there before the sources are, which the keys are for.
      terminal.wait(for: "● memory")
      // It comes back by itself, which a busy machine may not see.
      terminal.wait { terminal in
        terminal.press("2")
        return terminal.lines.contains { $0.contains("retrying") }
      }
      terminal.wait(forNo: "retrying")
      terminal.press("?")
      terminal.wait(for: "quit")
      terminal.press("?")
      terminal.press("w")
      terminal.wait(for: "events is in system.html")
      terminal.quit()
    }
    #expect(try folder.text("system.html").hasPrefix("<!doctype html>"))
  }

  @Test("when the terminal is closed the run ends in order")
  func closed() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("$PLAYGROUND --seconds 0 --journal run", in: folder)
      // The picture is there before the sources are, and these before the signal is: until then, it ends the program at
      // once. What the memory has said several times comes behind all of them.
      terminal.wait { terminal in
        terminal.lines.contains { $0.contains("● memory") && !$0.contains(" 0 events") && !$0.contains(" 1 events") }
      }
      terminal.close()
    }
    let journal = try JournalReader(at: folder.path("run"), startingWith: SystemState())
    let hasEnded = try await eventually {
      var last: SystemEvent?
      for try await entry in journal.events(after: 0) { last = entry.event }
      return last.map(caseName) == "end"
    }
    #expect(hasEnded)
  }

  @Test("a run that was killed goes on with the next one")
  func killed() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let run = "$PLAYGROUND --seconds 0 --journal run > run.txt"
      let isKept = "until grep -aqs memory run/*.events; do sleep 0.1; done"
      let terminal = Tmux(
        "\(run) & \(isKept); kill -9 $!; $PLAYGROUND --seconds 1 --journal run; echo en''ded",
        in: folder
      )
      terminal.wait(for: "ended")
    }
    #expect(try !folder.text("run.txt").contains("Summary"))
    let journal = try JournalReader(at: folder.path("run"), startingWith: SystemState())
    var names: [String] = []
    for try await entry in journal.events(after: 0) { names.append(caseName(entry.event)) }
    #expect(names.count { $0 == "resumed" } == 1 && names.count { $0 == "end" } == 1)
    #expect(names.first == "processor" || names.first == "memory" || names.first == "network")
  }

  @Test("the picture of the ticker is a screen of its own, too")
  func ticker() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("$PLAYGROUND ticker", columns: 80, in: folder)
      terminal.wait(for: "all symbols")
      #expect(terminal.isTaken)
      for size in [[20, 5], [40, 12], [80, 24], [200, 50]] {
        terminal.resize(columns: size[0], rows: size[1])
        terminal.wait { terminal in
          let ranks = terminal.lines.count { $0.hasPrefix(" ") && $0.prefix(3).contains { $0.isNumber } }
          return terminal.lines.first?.hasPrefix("10000 symbols") == true && ranks == min(45, size[1] - 3)
        }
      }
      terminal.press("C-c")
      terminal.wait(taken: false)
    }
  }

  @Test("a terminal that cannot draw gets lines")
  func plain() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("TERM=dumb $PLAYGROUND --seconds 1", rows: 40, in: folder)
      terminal.wait(for: "Summary")
      #expect(!terminal.lines.contains { $0.contains("●") })
      #expect(terminal.lines.contains { $0.hasPrefix("memory  ") })
    }
  }

  @Test("output that is no terminal gets lines, without a picture")
  func noTerminal() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("$PLAYGROUND --seconds 1 > run.txt; echo en''ded", in: folder)
      terminal.wait(for: "ended")
      #expect(!terminal.isTaken)
    }
    let text = try folder.text("run.txt")
    #expect(text.contains("Summary") && !text.contains("\u{1B}"))
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
