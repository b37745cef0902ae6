"""The players' URLs under ``/api/v1/``."""

from django.urls import path

from players.api import views

urlpatterns = [
    path("players/", views.SignUpView.as_view(), name="api-players"),
    path("players/me/", views.MeView.as_view(), name="api-me"),
    path("players/me/email/", views.EmailView.as_view(), name="api-email"),
    path("players/me/email/confirmations/", views.ConfirmationsView.as_view(), name="api-confirmations"),
    path("players/me/mail/", views.MailSettingsView.as_view(), name="api-mail-settings"),
    path("players/me/password/", views.PasswordView.as_view(), name="api-password"),
    path("players/<str:username>/", views.PlayerView.as_view(), name="api-player"),
    path("password-resets/", views.PasswordResetsView.as_view(), name="api-password-resets"),
    path("vacation/", views.VacationView.as_view(), name="api-vacation"),
    path("vacation/<str:day>/", views.VacationDayView.as_view(), name="api-vacation-day"),
    path("guests/", views.GuestsView.as_view(), name="api-guests"),
    path("tokens/", views.TokensView.as_view(), name="api-tokens"),
    path("tokens/<int:token_id>/", views.TokenView.as_view(), name="api-token"),
]
