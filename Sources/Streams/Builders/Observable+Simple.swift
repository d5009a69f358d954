extension Observable {
  /// A stream that finishes at once, without a value.
  ///
  ///     result  |         empty
  ///
  /// - Complexity: O(1).
  public static var empty: Observable { Observable(attach: { $0.end(.finished) }) }

  /// Makes a stream that sends a value to each subscriber, at once, then finishes. The stream has any failure type.
  ///
  ///     result  [a|]      just("a")
  ///
  ///     let pages = request.catch { _ in .just(Page.empty) }
  ///
  /// - Complexity: O(1).
  public static func just(_ value: Element) -> Observable {
    Observable(attach: { observer in
      observer.send(value)
      observer.end(.finished)
    })
  }

  /// A stream that sends nothing and never ends. Only cancelling ends a subscription to it.
  ///
  ///     result  -----     never
  ///
  /// - Complexity: O(1).
  public static var never: Observable { Observable(attach: { _ in }) }

  /// Makes a stream that fails at once, without a value.
  ///
  ///     result  ^         fail(Silence())
  ///
  /// - Complexity: O(1).
  public static func fail(_ failure: Failure) -> Observable {
    Observable(attach: { $0.end(.failed(failure)) })
  }

  /// Makes a stream for each subscription, when it is subscribed to.
  ///
  ///     source  a-b|
  ///     result  a-b|      deferred { source }
  ///
  ///     let connection = Observable.deferred { connect(to: servers.next()) }
  ///
  /// - Parameter make: is called once per subscription.
  /// - Concurrency: `make` is called by the thread that subscribes, with no lock held.
  /// - Errors: an error that `make` throws is the failure of the stream.
  /// - Complexity: O(1), beside the cost of `make`. Constant stack, also where `make` returns a stream that leads to
  ///   the next one by the same function, see ``ObservableConvertible/concat(with:_:)``.
  public static func deferred(_ make: @escaping @Sendable () throws(Failure) -> Observable) -> Observable {
    Observable(attach: { observer in
      SubscriptionLoop.run(for: observer, after: observer) {
        guard observer.lifetime.isActive else { return }
        let stream: Observable
        do throws(Failure) {
          stream = try make()
        } catch {
          return observer.end(.failed(error))
        }
        stream.attachIfActive(observer)
      }
    })
  }
}

extension Observable where Failure == Never {
  /// Makes a stream that sends a value and cannot fail, where nothing else says which failure type it has.
  ///
  ///     result  [a|]      just("a"), which cannot fail
  ///
  /// - Complexity: O(1).
  public static func just(_ value: Element) -> Observable {
    Observable([value])
  }
}
