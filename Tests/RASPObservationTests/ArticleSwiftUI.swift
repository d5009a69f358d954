import RASPKeyed

#if canImport(SwiftUI)
  import Aggregate
  import RASPObservation
  import SwiftUI

  struct FormView: View {
    let form: Observed<FormState>

    var body: some View {
      Form {
        TextField("Name", text: form.binding(\.name, sending: FormEvent.rename))
        Toggle("I agree", isOn: form.binding(\.hasAgreed, sending: FormEvent.agree))
        SendButton(form: form)
      }
    }
  }

  struct SendButton: View {
    let form: Observed<FormState>

    var body: some View {
      Button("Send") { form.send(.rename("")) }
        .disabled(!form.canSend)
    }
  }

  struct StationList: View {
    let warmest: ObservedValue<[RankedRow<String, StationState, Double>]>

    var body: some View {
      List(warmest.value, id: \.key) { row in
        LabeledContent(row.key, value: row.value, format: .number)
      }
    }
  }

  struct StationRow: View {
    let station: Observed<ObservedRow<String, StationState>>

    var body: some View {
      Text(station.celsius ?? 0, format: .number)
    }
  }
#endif
