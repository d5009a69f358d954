import RASPInsight
import Testing
