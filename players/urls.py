"""The players' pages."""

from django.urls import path

from players.views import accounts, mail, password_resets, profile, vacation

urlpatterns = [
    path("sign-up/", accounts.sign_up, name="sign-up"),
    path("log-in/", accounts.log_in, name="log-in"),
    path("log-out/", accounts.log_out, name="log-out"),
    path("forgot-password/", password_resets.forgot_password, name="forgot-password"),
    path(
        "choose-password/<str:uidb64>/<str:token>/",
        password_resets.ChoosePasswordView.as_view(),
        name="choose-password",
    ),
    path("mail/confirm/<str:token>/", mail.confirm_email, name="confirm-email"),
    path("mail/off/<str:token>/", mail.switch_mail_off, name="switch-mail-off"),
    path("profile/", profile.profile, name="profile"),
    path("profile/delete/", accounts.delete_account, name="delete-account"),
    path("profile/competitions/", profile.change_entries, name="change-entries"),
    path("profile/email/", profile.change_email, name="change-email"),
    path("profile/email/confirmation/", mail.send_confirmation, name="send-confirmation"),
    path("profile/mail/", mail.change_mail, name="change-mail"),
    path("profile/password/", profile.change_password, name="change-password"),
    path("profile/playing/", profile.change_playing, name="change-playing"),
    path("profile/time-zone/", profile.change_time_zone, name="change-time-zone"),
    path("profile/tokens/", profile.create_token, name="create-token"),
    path("profile/calendar/", profile.create_calendar, name="create-calendar"),
    path("profile/tokens/<int:token_id>/revoke/", profile.revoke_token, name="revoke-token"),
    path("profile/vacation/", vacation.vacation, name="vacation"),
    path("profile/vacation/<str:day>/cancel/", vacation.cancel_day, name="cancel-vacation-day"),
    path("players/<str:username>/", accounts.show_player, name="player"),
]
