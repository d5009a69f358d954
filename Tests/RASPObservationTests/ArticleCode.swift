import Aggregate
import Observation
import RASPKeyed
import RASPObservation
import TestSupport
import Testing

// The code of the article "View models", as it stands there: the state in a file without isolation of its own.

struct ArticleCode {
  @Test("the code of the article does what the article says")
  func article() async {
    let log = Log<Bool>()
    let form = Observed(Aggregator(initial: FormState()))
    withObservationTracking {
      print(form.canSend)
    } onChange: {
      print("whether the form can be sent changes, and not only the name")
    }
    form.send(.rename("Kim"))
    form[\.name, sending: FormEvent.rename] = "Robin"
    form.send(.agree(true))
    log.note(form.canSend)
    #expect(log.entries == [true])

    let undoable = Observed(Aggregator(initial: Undoable(FormState())))
    undoable.send(.change(.rename("Kim")))
    undoable.send(.undo)
    print(undoable.name, undoable.canUndo, undoable.canRedo)
    #expect(undoable.name == "" && !undoable.canUndo && undoable.canRedo)

    let server = Server()
    let optimistic = Observed(Aggregator(initial: Optimistic<FormState, Int>(FormState())))
    let rename = { (name: String, id: Int) async in
      optimistic.send(.predict(.rename(name), as: id))
      do {
        try await server.rename(name)
        optimistic.send(.confirm(id))
      } catch {
        optimistic.send(.refuse(id))
      }
    }
    await rename("Kim", 1)
    await rename("", 2)
    #expect(optimistic.name == "Kim")
    #expect(optimistic.waitingIDs == [])
  }

  @Test("the lists of the article")
  func lists() {
    let stations = KeyedAggregator(by: \StationEvent.station, initial: { _ in StationState() })
    let warmest = ObservedValue(stations.ranked(by: \.celsius, first: 20), keeping: stations)
    let harbour = Observed(stations, key: "harbour")
    harbour.send(StationEvent(station: "harbour", celsius: 21))
    print(harbour.celsius ?? 0, warmest.value.map(\.key))
    #expect(harbour.celsius == 21 && warmest.value.map(\.key) == ["harbour"])
  }

  /// What the article calls the server.
  private struct Server {
    func rename(_ name: String) async throws {
      await Task.yield()
      if name.isEmpty { throw TestError() }
    }
  }
}
