import Callgrind
import Dispatch
import Foundation

extension CountedRow {
  /// Counts what counting itself takes, which `Benchmarks/goals` takes off each count.
  public static func calibrate() {
    let title = strdup("nothing 1")
    defer { free(title) }
    callgrind_forget()
    callgrind_write(title)
  }

  /// Counts the row. The count goes to a file that callgrind names; its title is the name of the row and the number of
  /// repetitions.
  ///
  /// It blocks the thread that calls, which runs the rows that need no other. An asynchronous `main` would leave the
  /// first thread to Dispatch, which callgrind does not survive.
  public func run() {
    let count = count
    // The text is made before the count begins.
    let title = strdup("\(name) \(count)")
    defer { free(title) }
    switch work {
    case .alone(let make):
      let repeated = make()
      // The first run looks types up, binds symbols and makes room.
      repeated(count)
      callgrind_forget()
      repeated(count)
      callgrind_write(title)
    case .together(let make):
      let isDone = DispatchSemaphore(value: 0)
      let address = UInt(bitPattern: title)
      Task {
        let repeated = await make()
        await repeated(count)
        callgrind_forget()
        await repeated(count)
        callgrind_write(UnsafePointer(bitPattern: address))
        isDone.signal()
      }
      isDone.wait()
    }
  }
}
