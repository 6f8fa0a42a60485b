# The service and its worker. Neo4j is its own container (docker-compose.yml); the embedded engine
# works in here too, with a volume on /data.
FROM python:3.11-slim-bookworm

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app

# Dependencies first: they change less often than the code.
COPY pyproject.toml README.md LICENSE ./
COPY constraints constraints
COPY api api
COPY commands commands
COPY cypher cypher
COPY domain domain
COPY evaluation evaluation
COPY graph graph
COPY ingest ingest
COPY jobs jobs
COPY llm llm
COPY qa qa
COPY samples samples
COPY cli.py errors.py settings.py ./
RUN pip install --constraint constraints/base.txt --editable '.[postgres]' \
    && useradd --create-home --uid 10001 catenane \
    && install -d -o catenane -g catenane /data

USER catenane
ENV CATENANE_HOME=/data CATENANE_HOST=0.0.0.0 CATENANE_PORT=8080
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=6 \
    CMD python -c "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/ready', timeout=2)"
ENTRYPOINT ["catenane"]
CMD ["serve"]
