"""The URLs of devices."""

from django.urls import path

from push import views

urlpatterns = [
    path("profile/push/", views.change_push, name="change-push"),
    path("profile/push/<int:device_id>/end/", views.end_device, name="end-device"),
]
