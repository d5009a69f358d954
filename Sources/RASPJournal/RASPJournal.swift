import Aggregate
