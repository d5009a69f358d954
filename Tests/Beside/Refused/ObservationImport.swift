// The protocol of Observation cannot be imported alone, because a macro has the same name. The article "Beside other
// frameworks" says so, and `.ci/full` has the compiler check it.

// expected-error@+1 {{ambiguous name 'Observable' in module 'Observation'}}
import protocol Observation.Observable
