"""The REST doors: who asks, what is asked, and the answer as JSON (design 8).

Nothing is decided here. `routes.ROUTES` is the one table from which the service, its OpenAPI description and
the page at `/docs` are made; start with `app.build`.
"""
