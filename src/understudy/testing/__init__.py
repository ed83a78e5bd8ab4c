"""Laws that every metric must obey, for tests of metrics in other packages: `check_metric(MyMetric)`."""

from understudy.testing.check import check_metric
from understudy.testing.expectations import BrokenLaw

__all__ = ["BrokenLaw", "check_metric"]
