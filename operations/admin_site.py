"""The admin site, with the log-in and the passwords of Kickabout itself."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.contrib.contenttypes.models import ContentType
from django.contrib.contenttypes.views import shortcut
from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from operations.dashboard import show_waiting
from players.views.password_prompt import password_again


class StaffSite(AdminSite):
    """Django's admin in the site's design, with the site's own log-in, so that attempts are limited in one place."""

    site_title = "Kickabout"
    site_header = "Kickabout"
    index_title = gettext_lazy("Admin")

    def admin_view(  # type: ignore[override]
        self, view: Callable[..., Any], cacheable: bool = False
    ) -> Callable[..., Any]:
        """Return the page, for staff only; pages that change or delete accounts require the password again."""
        return super().admin_view(password_again(view, asks=_wants_password), cacheable)

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Return the first page, with the backlog of the background work."""
        return super().index(request, show_waiting(request, extra_context or {}))

    @method_decorator(never_cache)
    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Redirect to the site's log-in; refuse players who are not staff."""
        if not request.user.is_authenticated:
            wanted = request.GET.get(REDIRECT_FIELD_NAME) or reverse("admin:index")
            return redirect_to_login(wanted, settings.LOGIN_URL)
        if not self.has_permission(request):
            raise PermissionDenied(_("The admin is only for staff."))
        return redirect("admin:index")

    def get_urls(self) -> list[Any]:
        """Return Django's URLs, but with a redirect from a row to its page that checks who may see the row."""
        urls: list[Any] = super().get_urls()
        for number, url in enumerate(urls):
            if getattr(url, "name", None) == "view_on_site":
                urls[number] = path(str(url.pattern), self.admin_view(self.lead_to_page), name=url.name)
        return urls

    def lead_to_page(self, request: HttpRequest, content_type_id: str, object_id: str) -> HttpResponseBase:
        """Redirect to the page of a row in one of the site's lists; other rows do not exist here."""
        try:
            model = ContentType.objects.get(pk=content_type_id).model_class()
            admin = self._registry.get(model) if model else None
            if admin is None or not admin.has_view_permission(request):
                raise Http404
            admin.get_queryset(request).get(pk=object_id)
        except (ObjectDoesNotExist, ValueError, ValidationError):
            raise Http404 from None
        return shortcut(request, content_type_id, object_id)

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponseRedirect:
        """Redirect to the profile, where players change their passwords."""
        return redirect("profile")


def _wants_password(request: HttpRequest) -> bool:
    """Return whether the page deletes something, or changes accounts."""
    page = request.resolver_match.url_name if request.resolver_match else None
    if page is None or page.endswith("_delete") or page == "auth_user_password_change":
        return page is not None
    deletes = request.POST.get("action") == "delete_selected"
    return request.method == "POST" and (deletes or page in {"players_player_add", "players_player_change"})
