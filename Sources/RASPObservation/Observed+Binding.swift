#if canImport(SwiftUI)
  public import Aggregate
  public import SwiftUI

  extension Observed {
    /// A binding to a field, for a view that shows and changes it.
    ///
    ///     TextField("Name", text: form.binding(\.name, sending: FormEvent.rename))
    ///
    /// It reads the field as a view does, tracked for this field alone, and sends what is assigned.
    ///
    /// - Parameters:
    ///   - keyPath: leads to the field.
    ///   - event: makes an event of the new value.
    /// - Complexity: O(1).
    public func binding<Field>(
      _ keyPath: any KeyPath<State, Field> & Sendable,
      sending event: @escaping @MainActor @Sendable (Field) -> State.Event
    ) -> Binding<Field> {
      Binding {
        MainActor.assumeIsolated { UncheckedValue(value: self[keyPath]) }.value
      } set: { value in
        let value = UncheckedValue(value: value)
        MainActor.assumeIsolated { _ = self.send(event(value.value)) }
      }
    }
  }

  /// A value that does not leave its thread: SwiftUI calls the closures of a binding on the main actor, and the
  /// compiler does not know it.
  private struct UncheckedValue<Value>: @unchecked Sendable {
    let value: Value
  }
#endif
