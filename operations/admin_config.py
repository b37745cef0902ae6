"""Django's admin app, with this site's own admin."""

from django.contrib.admin.apps import AdminConfig


class StaffSiteConfig(AdminConfig):
    """Makes ``django.contrib.admin.site`` the site's own."""

    default = False
    default_site = "operations.admin_site.StaffSite"
