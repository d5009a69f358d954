#if canImport(SwiftUI)
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
#endif
