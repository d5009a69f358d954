import Aggregate
import RASPKeyed
import Streams

/// Something that can be subscribed to, and often be read.
struct Look: Sendable {
  let values: Observable<String, Never>
  var now: @Sendable () -> String = { "" }

  init<Value: Sendable>(_ stream: Observable<Value, Never>, _ text: @escaping @Sendable (Value) -> String = { "\($0)" })
  {
    values = stream.map(text)
  }

  init<Value: Sendable>(_ selection: Selection<Value>) {
    self.init(selection.observable)
    now = { "\(selection.current)" }
  }

  init<Value: Sendable>(_ query: RowQuery<Value>, _ text: @escaping @Sendable (Value) -> String = { "\($0)" }) {
    self.init(query.observable, text)
    now = { text(query.current) }
  }
}
