"""The public names of understudy, and where each is defined: the one list of them, which `__init__.py` reads.

Every line is `from MODULE import NAME as NAME`: to type checkers and editors, that makes the name public.
"""

from understudy.comparing.explanation import explain as explain
from understudy.comparing.run import compare as compare
from understudy.corpus.columns import References as References
from understudy.corpus.corpus import Corpus as Corpus
from understudy.corpus.delimited import tsv_quoting as tsv_quoting
from understudy.corpus.parsed import ParsedColumn as ParsedColumn
from understudy.errors import UnderstudyError as UnderstudyError
from understudy.metrics.base.metric import Metric as Metric
from understudy.metrics.base.parameters import param as param
from understudy.metrics.base.registry import metric as metric
from understudy.metrics.base.score import Score as Score
from understudy.metrics.base.statistics import Statistics as Statistics
from understudy.metrics.base.words import WordMetric as WordMetric
from understudy.metrics.bleu import BLEU as BLEU
from understudy.metrics.cder import CDER as CDER
from understudy.metrics.cer import CER as CER
from understudy.metrics.character import CharacTER as CharacTER
from understudy.metrics.chrf import CHRF as CHRF
from understudy.metrics.dstm import DSTM as DSTM
from understudy.metrics.dtkm import DTKM as DTKM
from understudy.metrics.eed import EED as EED
from understudy.metrics.exact_match import ExactMatch as ExactMatch
from understudy.metrics.gleu import GLEU as GLEU
from understudy.metrics.gtm import GTM as GTM
from understudy.metrics.hwcm import HWCM as HWCM
from understudy.metrics.learned import Learned as Learned
from understudy.metrics.length_ratio import LengthRatio as LengthRatio
from understudy.metrics.meteor import METEOR as METEOR
from understudy.metrics.nist import NIST as NIST
from understudy.metrics.per import PER as PER
from understudy.metrics.pos_bleu import POSBLEU as POSBLEU
from understudy.metrics.ribes import RIBES as RIBES
from understudy.metrics.rouge import ROUGE as ROUGE
from understudy.metrics.round_trip_bleu import RoundTripBLEU as RoundTripBLEU
from understudy.metrics.self_bleu import SelfBLEU as SelfBLEU
from understudy.metrics.stm import STM as STM
from understudy.metrics.ter import TER as TER
from understudy.metrics.tkm import TKM as TKM
from understudy.metrics.weighted_ngram import WeightedNgram as WeightedNgram
from understudy.metrics.wer import WER as WER
from understudy.scoring.run import score as score
from understudy.syntax.tree_columns import parse as parse
from understudy.trusting.run import trust as trust
from understudy.trusting.sets.run import trust_sets as trust_sets
from understudy.trusting.spans.run import span_agreement as span_agreement
from understudy.version import __version__ as __version__
