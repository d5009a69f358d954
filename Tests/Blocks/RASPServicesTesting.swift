// What the blocks of the landing page of `RASPServicesTesting` use and do not show.

import RASPServices

struct Identity: Sendable, Equatable { var name: String? }
struct NameMissing: Error {}
enum IdentityAction: Action { case login(String) }
enum ArticlesAction: Action { case load }

struct IdentityService: Service {
  var body: some Service { Store(model: Identity.self).mutate(on: IdentityAction.self) { _, _ in } }
}
