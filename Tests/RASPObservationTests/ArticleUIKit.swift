#if canImport(UIKit) && !os(watchOS)
  import Aggregate
  import RASPObservation
  import Streams
  import UIKit

  final class FormController: UIViewController {
    private let form: Aggregator<FormState>
    private let nameLabel = UILabel()
    private let sendButton = UIButton()
    private var tokens: [Subscription] = []

    init(_ form: Aggregator<FormState>) {
      self.form = form
      super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
      super.viewDidLoad()
      tokens = [
        form.select(\.name).assign(to: \.text, on: nameLabel),
        form.select(\.canSend).assign(to: \.isEnabled, on: sendButton),
      ]
    }
  }
#endif
