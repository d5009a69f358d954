// What the compiler says when nothing settles which module is meant. The article "Beside other frameworks" quotes it,
// and `.ci/full` has the compiler check that it refuses each line with the message that stands beside it, and nothing
// else.

import Combine
import Observation
import RASPCommands
import RASPServices
import ServiceLifecycle
import Streams
import SwiftUI

// Combine

// expected-error@+1 {{'Subject' is ambiguous for type lookup in this context}}
func follow(_ subject: Subject<Int, Never>) {}

// expected-error@+1 {{'Subscription' is ambiguous for type lookup in this context}}
func keep(_ subscription: Subscription) {}

// expected-error@+1 {{'Scheduler' is ambiguous for type lookup in this context}}
func wait(on time: any Scheduler) {}

// expected-error@+1 {{protocol type 'Publisher' specialized with too few type arguments (got 1, but expected 2)}}
func publish(with publisher: Publisher<NumberCommand>) {}

struct NumberCommand: Command {
  typealias Output = Int
}

// Observation: a stream is found, the protocol is not.

func follow(_ numbers: Observable<Int, Never>) {}

// expected-error@+1 {{reference to generic type 'Observable' requires arguments in <...>}}
func show(_ model: some Observable) {}

// SwiftUI

// expected-error@+1 {{'EnvironmentKey' is ambiguous for type lookup in this context}}
struct NameKey: EnvironmentKey {}

// expected-error@+1 {{'EnvironmentValues' is ambiguous for type lookup in this context}}
extension EnvironmentValues {}

struct NameView {
  // expected-error@+1 {{'Environment' is ambiguous for type lookup in this context}}
  @Environment(\.name) var name: String

  // expected-error@+1 {{'EnvironmentObject' is ambiguous for type lookup in this context}}
  @EnvironmentObject var object: NameObject?
}

final class NameObject: Sendable {}

// expected-error@+1 {{'Group' is ambiguous for type lookup in this context}}
func show(_ group: Group) {}

// ServiceLifecycle

// expected-error@+1 {{'Service' is ambiguous for type lookup in this context}}
struct NumberService: Service {}
