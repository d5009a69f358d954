import Aggregate
import RASPTesting
import Streams
import TestSupport
import Testing

#if DEBUG
  @Suite("Reports that nothing has subscribed to", .serialized)
  struct UnheardReportTests {
    /// What was written of aggregators that this file has made.
    private func written(while body: () async -> Void) async -> [String] {
      let texts = Log<String>()
      UnheardReports.listener.exchange(with: { text in
        if text.contains("UnheardReportTests.swift") { texts.note(text) }
      })
      await body()
      UnheardReports.listener.exchange(with: nil)
      return texts.entries
    }

    @Test("AGG-32: a refused event is written once, with the remedy and the line that made the aggregator")
    func refusal() async {
      let line: UInt = #line + 2
      let texts = await written {
        let account = Aggregator(initial: Account())
        account.send(-1)
        account.send(-2)
      }
      #expect(texts.count == 1)
      #expect(texts.first?.contains("UnheardReportTests.swift:\(line)") == true)
      #expect(texts.first?.contains("submit") == true)
      #expect(texts.first?.contains("overdrawn") == true)
    }

    @Test("AGG-32: a subscriber turns it off, and so does a sender that gets the answer")
    func heard() async {
      let texts = await written {
        let account = Aggregator(initial: Account())
        _ = try? await account.submit(-1)
        let rejections = Recorder(account.rejections)
        account.send(-2)
        #expect(rejections.values.count == 1)
      }
      #expect(texts.isEmpty)
    }

    @Test("AGG-32: a source that fails while its aggregator is made is written afterwards")
    func failingSource() async {
      let texts = Log<String>()
      UnheardReports.listener.exchange(with: { text in
        if text.contains("UnheardReportTests.swift") { texts.note(text) }
      })
      let failing = Subject<Int, TestError>()
      failing.fail(TestError(code: 7))
      let journal = Aggregator(initial: Journal(), sources: failing.observable)
      let heard = Aggregator(initial: Journal(), sources: failing.observable)
      let failures = Recorder(heard.sourceFailures)
      #expect(await eventually { !texts.entries.isEmpty })
      UnheardReports.listener.exchange(with: nil)

      #expect(texts.entries.count == 1)
      #expect(texts.entries.first?.contains("retry") == true)
      #expect(failures.values.count == 1)
      withExtendedLifetime((journal, heard)) {}
    }

    @Test("AGG-32: the setting turns it off")
    func setting() async {
      UnheardReports.areWritten = false
      let texts = await written {
        Aggregator(initial: Account()).send(-1)
      }
      UnheardReports.areWritten = true
      #expect(texts.isEmpty)
    }
  }
#endif
