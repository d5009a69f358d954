import Callgrind
import Dispatch
import Foundation

extension CostRow {
  /// Counts what counting itself takes, which `Benchmarks/costs` takes off each count.
  public static func calibrate() {
    let title = strdup("nothing 1 1")
    defer { free(title) }
    callgrind_forget()
    callgrind_write(title)
  }

  /// Counts the row at each of its sizes. Each count goes to a file that callgrind names; its title is the name of the
  /// row, the size and the number of repetitions.
  ///
  /// It blocks the thread that calls, which runs the rows that need no other. An asynchronous `main` would leave the
  /// first thread to Dispatch, which callgrind does not survive.
  public func run() {
    for size in sizes {
      // A row that takes long at a great size is repeated less often there.
      let repetitions = max(min(count, 16), count * sizes[0] / size)
      // The text is made before the count begins.
      let title = strdup("\(name) \(size) \(repetitions)")
      defer { free(title) }
      switch work {
      case .alone(let make):
        let repeated = make(size)
        // The first run looks types up, binds symbols and makes room.
        repeated(repetitions)
        callgrind_forget()
        repeated(repetitions)
        callgrind_write(title)
      case .together(let make):
        let isDone = DispatchSemaphore(value: 0)
        let address = UInt(bitPattern: title)
        Task {
          let repeated = await make(size)
          await repeated(repetitions)
          callgrind_forget()
          await repeated(repetitions)
          callgrind_write(UnsafePointer(bitPattern: address))
          isDone.signal()
        }
        isDone.wait()
      }
    }
  }
}
