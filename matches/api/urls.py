"""The matches' URLs under ``/api/v1/``."""

from django.urls import path

from matches.api import analyses, by_hand, conditional_answers, offers, seeks, views

urlpatterns = [
    path("games/", views.GamesView.as_view(), name="api-games"),
    path("matches/", views.MatchesView.as_view(), name="api-matches"),
    path("matches/<int:match_id>/", views.MatchView.as_view(), name="api-match"),
    path("matches/<int:match_id>/moves/", views.MovesView.as_view(), name="api-moves"),
    path("matches/<int:match_id>/steps/", views.StepsView.as_view(), name="api-steps"),
    path("matches/<int:match_id>/route/", views.RouteView.as_view(), name="api-route"),
    path("matches/<int:match_id>/positions/<int:ply>/", views.PositionView.as_view(), name="api-position"),
    path("matches/<int:match_id>/record/", views.RecordView.as_view(), name="api-record"),
    path("matches/<int:match_id>/texts/<slug:key>/", views.MatchTextView.as_view(), name="api-match-text"),
    path("matches/<int:match_id>/dice/", views.DiceView.as_view(), name="api-dice"),
    path("matches/<int:match_id>/analysis/", analyses.AnalysisView.as_view(), name="api-analysis"),
    path(
        "matches/<int:match_id>/conditional-answers/",
        conditional_answers.ConditionalAnswersView.as_view(),
        name="api-conditional-answers",
    ),
    path("matches/<int:match_id>/by-hand/", by_hand.ByHandView.as_view(), name="api-by-hand"),
    path("matches/<int:match_id>/resign/", views.ResignView.as_view(), name="api-resign"),
    path("matches/<int:match_id>/abort/", offers.AbortView.as_view(), name="api-abort"),
    path("matches/<int:match_id>/offer/", offers.OfferView.as_view(), name="api-offer"),
    path("matches/<int:match_id>/offer/accept/", offers.AcceptOfferView.as_view(), name="api-accept-offer"),
    path("matches/<int:match_id>/offer/decline/", offers.DeclineOfferView.as_view(), name="api-decline-offer"),
    path("matches/<int:match_id>/rematch/", views.RematchView.as_view(), name="api-rematch"),
    path("pauses/", views.SitePausesView.as_view(), name="api-pauses"),
    path("replays/", views.ReplaysView.as_view(), name="api-replays"),
    path("seeks/", seeks.SeeksView.as_view(), name="api-seeks"),
    path("seeks/<int:seek_id>/", seeks.SeekView.as_view(), name="api-seek"),
    path("seeks/<int:seek_id>/take/", seeks.TakeSeekView.as_view(), name="api-take-seek"),
    path("linked-seeks/<str:token>/", seeks.LinkView.as_view(), name="api-link"),
    path("linked-seeks/<str:token>/take/", seeks.TakeLinkView.as_view(), name="api-take-link"),
    path("seeks/<int:seek_id>/withdraw/", seeks.WithdrawSeekView.as_view(), name="api-withdraw-seek"),
    path("seeks/<int:seek_id>/decline/", seeks.DeclineSeekView.as_view(), name="api-decline-seek"),
]
