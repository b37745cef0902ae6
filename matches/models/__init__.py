"""The rows of matches, their moves and clocks; and of seeks."""

from matches.models.analysis import AnalysisStatus, MatchAnalysis
from matches.models.clock_extension import OF_SITE, STOOD_STILL, ClockExtension, ExtensionKind
from matches.models.conditional_answer import ConditionalAnswer
from matches.models.engine_queue import EngineQueue, EngineShare, QueueName
from matches.models.match import Match, Status
from matches.models.move import Actor, Move
from matches.models.offer import Offer, OfferKind
from matches.models.reminder import ReminderMark
from matches.models.seek import Colour, Seek, SeekStatus
from matches.models.site_pause import SitePause
from matches.models.spent_seed import SpentSeed
from matches.models.taken_back_move import TakenBackMove
