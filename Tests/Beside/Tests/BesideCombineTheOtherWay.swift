import Combine
import Streams

import protocol Combine.Subject

/// Ends both: the subject of Combine and the subject of Streams.
func finish(_ old: some Subject<Double, Never>, _ new: Streams.Subject<Double, Never>) {
  old.send(completion: .finished)
  new.finish()
}
