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
      .fix(FixQuality(kind: .fixed, satellites: 8)), .speed(2.8808888), .course(230.5), .depth(5.3),
      .wind(Wind(angle: 57.5, speed: 6.6877, reference: .relative)),
    ]
    #expect(
      changes.map(\.json.text) == [
        #"{"field":"heading","value":231.1,"reference":"true"}"#,
        #"{"field":"location","latitude":52.85,"longitude":5.31}"#,
        #"{"field":"fix","quality":"fixed","satellites":8}"#,
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
    #expect("\(Heading(degrees: 359.97, reference: .true))" == "0.0° true")
    #expect("\(Wind(angle: 359.97, speed: 1, reference: .true))" == "1.0 m/s from 0.0° true")
    #expect(
      "\(HeadingReading(instrument: .log, trueDegrees: 359.97, magneticDegrees: 359.98))"
        == "log, true 0.0°, magnetic 0.0°"
    )
    #expect("\(Fix(talker: "GP", course: 359.97))" == "GP, course 0.0°")
  }

  @Test("what comes from outside cannot move the cursor or end the line")
  func printable() {
    let change = FieldChange.processes([BusyProcess(name: "a\u{1B}[2J\nb\u{9B}\u{2028}\u{202E}", share: 0.5)])
    #expect(change.text == "a?[2J?b??? 50 %")
    #expect(change.line == "processes    a?[2J?b??? 50 %")
    #expect(FieldChange.temperature([Temperature(sensor: "c\r", celsius: 1)]).text == "1.0 °C (c?)")
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
      FieldChange.location(Location(latitude: -33.75, longitude: 4.25), in: .si).text
        == "33.750000° S  4.250000° E"
    )
    #expect(
      FieldChange.location(Location(latitude: 9.999_999_9, longitude: -179.5)).text == "10°00.000′ N  179°30.000′ W"
    )
    #expect(FieldChange.fix(FixQuality(kind: .float, satellites: 8)).text == "float, 8 satellites")
    #expect(FieldChange.speed(5.144).text == "10.0 kn")
    #expect(FieldChange.speed(5.144, in: .si).text == "5.14 m/s")
    #expect(
      FieldChange.wind(Wind(angle: 57.5, speed: 6.6877, reference: .true)).text == "13.0 kn from 57.5° true"
    )
  }

  @Test("system fields as JSON")
  func systemJSON() {
    let changes: [FieldChange] = [
      .processor(ProcessorLoad(total: 0.1234, each: [0, 0.25])),
      .memory(Memory(used: 1 << 30, total: 4 << 30)),
      .load(LoadAverage(one: 0.5, five: 1.25, fifteen: 2)),
      .network(NetworkTraffic(received: 1024.4, sent: 0)),
      .temperature([Temperature(sensor: "board", celsius: 30), Temperature(sensor: "core", celsius: 48.25)]),
      .processes([BusyProcess(name: "swift", share: 1.5)]),
    ]
    #expect(
      changes.map(\.json.text) == [
        #"{"field":"processor","value":12.3,"each":[0.0,25.0]}"#,
        #"{"field":"memory","used":1073741824,"total":4294967296}"#,
        #"{"field":"load","one":0.5,"five":1.25,"fifteen":2.0}"#,
        #"{"field":"network","received":1024.0,"sent":0.0}"#,
        #"{"field":"temperature","value":48.3,"sensors":{"board":30.0,"core":48.3}}"#,
        #"{"field":"processes","busiest":[{"name":"swift","value":150.0}]}"#,
      ]
    )
    #expect(changes.map(\.field) == SystemEvent.sourceNames)
  }

  @Test("system fields for people")
  func systemText() {
    #expect(FieldChange.processor(ProcessorLoad(total: 0.1234)).text == "12.3 %")
    #expect(FieldChange.processor(ProcessorLoad(total: 0.5, each: [0, 1])).text == "50.0 %  ▁█")
    #expect(FieldChange.processes([BusyProcess(name: "a", share: 0.5)]).text == "a 50 %")
    #expect(FieldChange.processes([]).text == nil)
    #expect(FieldChange.memory(Memory(used: 1 << 30, total: 4 << 30)).text == "1.0 GiB of 4.0 GiB")
    #expect(FieldChange.network(NetworkTraffic(received: 1536, sent: 12)).text == "1.5 KiB/s in, 12 B/s out")
    #expect(FieldChange.temperature([Temperature(sensor: "core", celsius: 48)]).text == "48.0 °C (core)")
  }

  @Test("a machine without thermometers has no temperature")
  func noThermometers() {
    #expect(FieldChange.temperature([]).json.text == #"{"field":"temperature","value":null,"sensors":{}}"#)
    #expect(FieldChange.temperature([]).text == nil)
  }

  @Test("huge amounts do no harm")
  func huge() {
    #expect(FieldChange.memory(Memory(used: .max, total: .max)).json.text.contains(#""used":null"#))
    #expect(FieldChange.network(NetworkTraffic(received: .greatestFiniteMagnitude, sent: 1)).text != nil)
  }
}
