"""The URLs of devices under ``/api/v1/``."""

from django.urls import path

from push.api import views

urlpatterns = [
    path("push-subscriptions/", views.PushSubscriptionsView.as_view(), name="api-push-subscriptions"),
    path("push-subscriptions/<int:device_id>/", views.PushSubscriptionView.as_view(), name="api-push-subscription"),
    path("push-settings/", views.PushSettingsView.as_view(), name="api-push-settings"),
]
