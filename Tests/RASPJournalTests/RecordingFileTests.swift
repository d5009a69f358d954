import RASPJournal
import Testing
