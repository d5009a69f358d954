import Aggregate
import Observation
import RASPKeyed
import RASPObservation
import RASPValues
import TestSupport
import Testing

// The code of the article "View models", as it stands there: the state in a file without isolation of its own.

struct ArticleCode {
  @Test("the code of the article does what the article says")
  func article() {
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
}
