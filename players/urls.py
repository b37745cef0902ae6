"""The players' pages."""

from django.urls import path

from players import views

urlpatterns = [
    path("sign-up/", views.sign_up, name="sign-up"),
    path("log-in/", views.log_in, name="log-in"),
    path("log-out/", views.log_out, name="log-out"),
    path("profile/", views.profile, name="profile"),
    path("profile/email/", views.change_email, name="change-email"),
    path("profile/password/", views.change_password, name="change-password"),
    path("profile/tokens/", views.create_token, name="create-token"),
    path("profile/tokens/<int:token_id>/revoke/", views.revoke_token, name="revoke-token"),
    path("players/<str:username>/", views.show_player, name="player"),
]
