import Aggregate
import AggregateTestSupport
import RASPTesting
import Streams
import TestSupport
import Testing

#if DEBUG
  @Suite("Reports that nothing has subscribed to", .serialized)
  struct UnheardReportTests {
    /// What was written of aggregators that this file has made.
    private func written(while body: () async -> Void) async throws -> [String] {
      try await UnheardTexts.written(containing: "UnheardReportTests.swift") { _ in await body() }
    }

    @Test("AGG-32: a refused event is written once, with the remedy and the line that made the aggregator")
    func refusal() async throws {
      let line: UInt = #line + 2
      let texts = try await written {
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
    func heard() async throws {
      let texts = try await written {
        let account = Aggregator(initial: Account())
        _ = try? await account.submit(-1)
        let rejections = Recorder(account.rejections)
        account.send(-2)
        #expect(rejections.values.count == 1)
      }
      #expect(texts.isEmpty)
    }

    @Test("AGG-32: a source that fails while its aggregator is made is written afterwards")
    func failingSource() async throws {
      let failing = Subject<Int, TestError>()
      failing.fail(TestError(code: 7))
      let texts = try await UnheardTexts.written(containing: "UnheardReportTests.swift") { texts in
        let journal = Aggregator(initial: Journal(), sources: failing.observable)
        let heard = Aggregator(initial: Journal(), sources: failing.observable)
        let failures = Recorder(heard.sourceFailures)
        #expect(await eventually { !texts().isEmpty })
        #expect(failures.values.count == 1)
        withExtendedLifetime((journal, heard)) {}
      }

      #expect(texts.count == 1)
      #expect(texts.first?.contains("retry") == true)
    }

    @Test("AGG-32: the setting turns it off")
    func setting() async throws {
      let texts = try await written {
        UnheardReports.areWritten = false
        Aggregator(initial: Account()).send(-1)
        UnheardReports.areWritten = true
      }
      #expect(texts.isEmpty)
    }
  }
#endif
