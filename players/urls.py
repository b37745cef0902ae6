"""The players' pages."""

from django.urls import path

from players import views

urlpatterns = [
    path("sign-up/", views.sign_up, name="sign-up"),
    path("log-in/", views.log_in, name="log-in"),
    path("log-out/", views.log_out, name="log-out"),
    path("forgot-password/", views.forgot_password, name="forgot-password"),
    path("choose-password/<str:uidb64>/<str:token>/", views.ChoosePasswordView.as_view(), name="choose-password"),
    path("mail/confirm/<str:token>/", views.confirm_email, name="confirm-email"),
    path("mail/off/<str:token>/", views.switch_mail_off, name="switch-mail-off"),
    path("profile/", views.profile, name="profile"),
    path("profile/delete/", views.delete_account, name="delete-account"),
    path("profile/competitions/", views.change_entries, name="change-entries"),
    path("profile/email/", views.change_email, name="change-email"),
    path("profile/email/confirmation/", views.send_confirmation, name="send-confirmation"),
    path("profile/mail/", views.change_mail, name="change-mail"),
    path("profile/password/", views.change_password, name="change-password"),
    path("profile/tokens/", views.create_token, name="create-token"),
    path("profile/calendar/", views.create_calendar, name="create-calendar"),
    path("profile/tokens/<int:token_id>/revoke/", views.revoke_token, name="revoke-token"),
    path("profile/vacation/", views.vacation, name="vacation"),
    path("profile/vacation/<str:day>/cancel/", views.cancel_day, name="cancel-vacation-day"),
    path("players/<str:username>/", views.show_player, name="player"),
]
