import Streams

extension Observable where Element == TerminalKey, Failure == Never {
  /// The keys that are pressed on the terminal of standard input, each at once and not shown on the screen. Without a
  /// terminal the stream finishes without a key.
  static var keys: Observable {
    Observable { producer in
      guard TerminalMode.enterKeys(), let input = try? Input(path: "-") else {
        TerminalMode.restore()
        producer.finish()
        return
      }
      let reading = Task {
        do {
          for try await chunk in input {
            for key in TerminalKey.keys(in: chunk) { producer.send(key) }
          }
        } catch {
          // A terminal that has gone presses no more keys.
        }
        producer.finish()
      }
      producer.onTermination {
        reading.cancel()
        TerminalMode.restore()
      }
    }
  }
}
