import TestSupport
import Testing

@testable import Playground

@Suite("The forms of a field")
struct FieldChangeTests {
  @Test("navigation fields as JSON")
  func navigationJSON() {
    let changes: [FieldChange] = [
      .heading(Heading(degrees: 231.10000000000002, reference: .true)),
      .location(Location(latitude: 52.85, longitude: 5.31)),
      .speed(2.8808888), .course(230.5), .depth(5.3),
      .wind(Wind(angle: 57.5, speed: 6.6877, reference: .relative)),
    ]
    #expect(
      changes.map(\.json.text) == [
        #"{"field":"heading","value":231.1,"reference":"true"}"#,
        #"{"field":"location","latitude":52.85,"longitude":5.31}"#,
        #"{"field":"speed","value":2.881}"#,
        #"{"field":"course","value":230.5}"#,
        #"{"field":"depth","value":5.3}"#,
        #"{"field":"wind","angle":57.5,"speed":6.688,"reference":"relative"}"#,
      ]
    )
    #expect(changes.map(\.field) == FieldChange.navigationFields)
  }

  @Test("an unknown value has the same members, all null")
  func unknown() {
    #expect(FieldChange.location(nil).json.text == #"{"field":"location","latitude":null,"longitude":null}"#)
    #expect(
      FieldChange.wind(nil).json.text == #"{"field":"wind","angle":null,"speed":null,"reference":null}"#
    )
    #expect(FieldChange.depth(nil).line == "depth        unknown")
    #expect(FieldChange.depth(nil).level == nil)
  }

  @Test("an angle that rounds to a full circle is north")
  func fullCircle() {
    #expect(FieldChange.course(359.999).json.text == #"{"field":"course","value":0.0}"#)
    #expect(FieldChange.course(359.97).text == "0.0°")
    #expect(FieldChange.heading(Heading(degrees: 359.97, reference: .true)).text == "0.0° true")
    #expect(FieldChange.wind(Wind(angle: 359.97, speed: 1, reference: .true)).text == "1.9 kn from 0.0° true")
  }

  @Test("what comes from outside cannot move the cursor or end the line")
  func printable() {
    let change = FieldChange.temperature(Temperature(sensor: "a\u{1B}[2J\nb\u{9B}\u{2028}\u{202E}", celsius: 1))
    #expect(change.text == "1.0 °C (a?[2J?b???)")
    #expect(change.line == "temperature  1.0 °C (a?[2J?b???)")
    #expect(RunFailure(.noInput, "of “\u{1B}c”\n").message == "of “?c”?")
    #expect("a\tb\u{200B}é日".printable == "a?b?é日")
  }

  @Test("navigation fields for people")
  func navigationText() {
    #expect(
      FieldChange.heading(Heading(degrees: 231.1, reference: .magnetic)).line
        == "heading      231.1° magnetic"
    )
    #expect(
      FieldChange.location(Location(latitude: -33.75, longitude: 4.25)).text == "33°45.000′ S  004°15.000′ E"
    )
    #expect(
      FieldChange.location(Location(latitude: 9.999_999_9, longitude: -179.5)).text == "10°00.000′ N  179°30.000′ W"
    )
    #expect(FieldChange.speed(5.144).text == "10.0 kn")
    #expect(
      FieldChange.wind(Wind(angle: 57.5, speed: 6.6877, reference: .true)).text == "13.0 kn from 57.5° true"
    )
  }

  @Test("system fields as JSON")
  func systemJSON() {
    let changes: [FieldChange] = [
      .processor(0.1234), .memory(Memory(used: 1 << 30, total: 4 << 30)),
      .network(NetworkTraffic(received: 1024.4, sent: 0)), .temperature(Temperature(sensor: "core", celsius: 48.25)),
    ]
    #expect(
      changes.map(\.json.text) == [
        #"{"field":"processor","value":12.3}"#,
        #"{"field":"memory","used":1073741824,"total":4294967296}"#,
        #"{"field":"network","received":1024.0,"sent":0.0}"#,
        #"{"field":"temperature","value":48.3,"sensor":"core"}"#,
      ]
    )
    #expect(changes.map(\.field) == SystemEvent.sourceNames)
  }

  @Test("system fields for people")
  func systemText() {
    #expect(FieldChange.processor(0.1234).text == "12.3 %")
    #expect(FieldChange.memory(Memory(used: 1 << 30, total: 4 << 30)).text == "1.0 GiB of 4.0 GiB")
    #expect(FieldChange.network(NetworkTraffic(received: 1536, sent: 12)).text == "1.5 KiB/s in, 12 B/s out")
    #expect(FieldChange.temperature(Temperature(sensor: "core", celsius: 48)).text == "48.0 °C (core)")
  }

  @Test("a machine without thermometers has no temperature")
  func noThermometers() {
    #expect(FieldChange.temperature(nil).json.text == #"{"field":"temperature","value":null,"sensor":null}"#)
    #expect(FieldChange.temperature(nil).text == nil)
  }

  @Test("huge amounts do no harm")
  func huge() {
    #expect(FieldChange.memory(Memory(used: .max, total: .max)).json.text.contains("9223372036854775807"))
    #expect(FieldChange.network(NetworkTraffic(received: .greatestFiniteMagnitude, sent: 1)).text != nil)
  }
}
