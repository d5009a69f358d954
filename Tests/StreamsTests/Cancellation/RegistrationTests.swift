import Streams
import TestSupport
import Testing

@Suite("Registrations")
struct RegistrationTests {
  @Test("Releasing a registration does nothing")
  func releasing() {
    let removals = Counter()
    var registration: Registration? = Registration { removals.increment() }
    #expect(registration?.isActive == true)
    registration = nil
    #expect(removals.value == 0)
  }

  @Test("Cancelling removes once")
  func cancelling() {
    let removals = Counter()
    let registration = Registration { removals.increment() }
    registration.cancel()
    registration.cancel()
    #expect(removals.value == 1)
    #expect(!registration.isActive)
  }

  @Test("A registration follows the lifetime it was made of")
  func lifetime() {
    let lifetime = Lifetime()
    let registration = Registration(lifetime)
    lifetime.terminate()
    #expect(!registration.isActive)
  }

  @Test("A subscription of a registration cancels on release")
  func subscription() {
    let removals = Counter()
    let registration = Registration { removals.increment() }
    var subscription: Subscription? = Subscription { registration.cancel() }
    #expect(subscription?.isActive == true)
    subscription = nil
    #expect(removals.value == 1)
  }
}
