import TestSupport
import Testing

@testable import Playground

@Suite("On a terminal that is shared with others", .endsInTime, .enabled(if: Tmux.canRun, "tmux is not installed"))
struct TerminalSharingTests {
  /// The shell tells that a job has stopped when it shows its prompt.
  private func waitUntilStopped(_ terminal: Tmux) {
    block {
      terminal.press("Enter")
      return terminal.lines.contains { $0.contains("Stopped") }
    }
  }

  @Test("a program that goes on in the background waits there, and draws again in the foreground, with its keys")
  func background() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("$PLAYGROUND --seconds 0", in: folder)
      terminal.wait(for: "processor")
      terminal.press("C-z")
      terminal.wait(for: "Stopped")
      // The picture has gone before the next stop is waited for, so the first one is not taken for it.
      terminal.type("clear; bg; echo be''hind")
      terminal.wait(for: "behind")
      waitUntilStopped(terminal)
      #expect(!terminal.isTaken)
      terminal.type("fg")
      terminal.wait(taken: true)
      terminal.wait(for: "processor")
      terminal.quit()
    }
  }

  @Test("a program that is started in the background waits there, and has its keys in the foreground")
  func startedInBackground() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("$PLAYGROUND --seconds 0 &", in: folder)
      waitUntilStopped(terminal)
      #expect(!terminal.isTaken)
      terminal.type("fg")
      terminal.wait(taken: true)
      terminal.press("?")
      terminal.wait(for: "quit")
      terminal.quit()
      terminal.wait(taken: false)
      terminal.type("stty -a")
      terminal.wait(for: " icanon")
    }
  }

  @Test("a program that reads the terminal in the background waits there, and reads what is typed in the foreground")
  func readsInBackground() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("$PLAYGROUND geo - > run.txt &", in: folder)
      waitUntilStopped(terminal)
      terminal.type("fg")
      // The shell names the program that it has brought to the foreground.
      terminal.wait { $0.lines.contains("$PLAYGROUND geo - > run.txt") }
      terminal.type("$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47")
      terminal.press("C-d")
      terminal.type("echo en''ded")
      terminal.wait(for: "ended")
    }
    #expect(try folder.text("run.txt").contains("Summary"))
  }

  @Test("a picture has colours, and none with NO_COLOR", arguments: ["", "1"])
  func colours(refusal: String) async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("NO_COLOR=\(refusal) $PLAYGROUND --seconds 0", columns: 120, in: folder)
      terminal.wait(for: "/s ▶")
      // Green stands in front of a source that is connected.
      #expect(terminal.colouredText.contains("\u{1B}[32m") == refusal.isEmpty)
      #expect(terminal.colouredText.contains("\u{1B}[") == refusal.isEmpty)
      terminal.quit()
    }
  }

  @Test("output that is no terminal gets lines, without a picture and without colours")
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

  @Test("a receiver is followed on a picture, fails at a key press, and is tried again")
  func receiver() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("mkfifo pipe; $PLAYGROUND geo pipe", columns: 120, in: folder)
      terminal.wait(for: "receiver")
      terminal.press("?")
      terminal.wait(for: "let the receiver fail")
      terminal.press("Escape")
      terminal.press("1")
      terminal.wait(for: "retrying")
      terminal.wait(for: "tries again in 12 seconds")
      terminal.quit()
    }
  }

  @Test("the picture of the ticker fills the terminal at every size")
  func tickerSizes() async throws {
    let folder = try TemporaryFolder()
    await onThread {
      let terminal = Tmux("$PLAYGROUND ticker", in: folder)
      for size in [[20, 5], [40, 12], [80, 24], [200, 50]] {
        terminal.resize(columns: size[0], rows: size[1])
        terminal.wait { terminal in
          let lines = terminal.lines
          let ranks = lines.count { $0.prefix(3).contains { $0.isNumber } && $0.hasPrefix(" ") }
          return lines.first?.hasPrefix("10000 symbols") == true
            && lines.dropFirst(size[1] - 1).first?.hasPrefix("all symbols") == true
            && ranks == size[1] - (size[1] >= 10 ? 5 : 3)
        }
      }
      terminal.press("+")
      terminal.press("Escape")
      terminal.wait(for: "Summary")
    }
  }
}
