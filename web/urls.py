"""What every public site says of itself."""

from django.urls import path

from web.pages import site_texts

urlpatterns = [
    path("robots.txt", site_texts.robots_txt, name="robots"),
    path(".well-known/security.txt", site_texts.security_txt, name="security"),
    path("privacy/", site_texts.privacy_page, name="privacy"),
]
