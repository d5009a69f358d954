extension Observable {
  /// The base of every operator with one input: `handle` sends on what it makes of a value, and an error that it throws
  /// ends the stream.
  @inlinable
  @inline(__always)
  package func handleValues<Output: Sendable>(
    _ handle: @escaping @Sendable (Element, Observer<Output, Failure>) throws(Failure) -> Void
  ) -> Observable<Output, Failure> {
    let attach = attach
    let step: Observer<Element, Failure>.Step = { value, next in
      // As in `map`: a function, so that it is inlined.
      @inline(__always)
      func pass(to observer: Observer<Output, Failure>) {
        do throws(Failure) {
          try handle(value, observer)
        } catch {
          observer.end(.failed(error))
        }
      }
      next.withObserver(pass)
    }
    return Observable<Output, Failure>(attach: { observer in attach(observer.upstream(step: step)) })
  }

  /// Does the same with a state that is made for each subscription and released with it.
  @inlinable
  @inline(__always)
  package func handleValues<State: Sendable, Output: Sendable>(
    with initial: @escaping @Sendable () -> State,
    _ handle: @escaping @Sendable (inout State, Element, Observer<Output, Failure>) throws(Failure) -> Void
  ) -> Observable<Output, Failure> {
    let attach = attach
    return Observable<Output, Failure>(attach: { observer in
      let state = Confined(initial())
      attach(
        observer.upstream { value in
          do throws(Failure) {
            try state.withValue { state throws(Failure) in try handle(&state, value, observer) }
          } catch {
            observer.end(.failed(error))
          }
        }
      )
    })
  }
}
