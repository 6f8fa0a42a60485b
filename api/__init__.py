"""The service: HTTP resources over the graph and the job store, and a start page.

`api.app.create_app(settings)` builds it, `api.serve.serve(settings)` runs it. It holds no logic of
its own: it starts jobs and reads results.
"""
