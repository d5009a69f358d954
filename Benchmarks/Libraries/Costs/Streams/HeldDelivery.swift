import Dispatch
import Streams

/// A delivery of a subject that another thread holds open. What is sent meanwhile waits in the line, and the other
/// thread runs nothing that would be counted: it waits until the process ends.
enum HeldDelivery {
  static func begin(in subject: Subject<Int, Never>) {
    let hasBegun = DispatchSemaphore(value: 0)
    let never = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      let token = subject.subscribe { _ in
        hasBegun.signal()
        never.wait()
      }
      subject.send(-1)
      token.cancel()
    }
    hasBegun.wait()
  }
}
