"""Client of the Assay API: SQL queries, stored results, figures and uploads.

It needs Python 3.10 or newer and nothing else.

    from assay import Assay

    client = Assay("https://assay.example", key="assay_...")
    run = client.run("SELECT height FROM btc_blocks ORDER BY height DESC LIMIT 10")
    for row in client.rows(run["result"]["hash"]):
        print(row)
"""

from __future__ import annotations

import csv
import io
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from http.client import HTTPResponse
from typing import Any, Literal

__all__ = ["Assay", "AssayError", "TruncatedError"]

Json = dict[str, Any]
Cell = str | int | float | bool | None
FileFormat = Literal["csv", "json-array", "jsonl", "xlsx", "arrow", "parquet", "native"]

_RETRIED = (429, 503)
_MAX_WAIT_SECONDS = 60.0
_RUN_WAIT_SECONDS = 20
_PAGE_ROWS = 1000
# The server writes the whole file before it sends the first byte, which takes at most 300 seconds.
_FILE_SECONDS = 330.0


class AssayError(Exception):
    """An error of the API.

    `code` is stable and for programs, `detail` says what was wrong, and `hint` says what to do.
    """

    def __init__(self, problem: Mapping[str, Any]) -> None:
        self.status: int = problem.get("status", 0)
        self.code: str = problem.get("code", "http.no_reason")
        self.detail: str = problem.get("detail", "The server gave no reason.")
        self.hint: str | None = problem.get("hint")
        self.problem: Json = dict(problem)
        super().__init__(" ".join(part for part in (self.detail, self.hint) if part))


class TruncatedError(AssayError):
    """The result was truncated at the row limit.

    `row_count` is the number of stored rows. Read them with `allow_truncated=True`, or aggregate or filter in SQL.
    """

    def __init__(self, row_count: int) -> None:
        self.row_count = row_count
        super().__init__(
            {
                "status": 200,
                "code": "client.truncated",
                "detail": f"The result is truncated. Only its first {row_count} rows are stored.",
                "hint": "Aggregate or filter in SQL, or read the stored rows with allow_truncated=True.",
            }
        )


class Assay:
    """A client of one server.

    Without a key, requests have the limits of visitors. A request that the server refuses with 429 or 503 is
    sent again `retries` times, each time after the wait that the server asks for.
    """

    def __init__(
        self,
        url: str,
        key: str | None = None,
        *,
        retries: int = 4,
        timeout: float = 120.0,
    ) -> None:
        self._url = url.rstrip("/")
        self._headers = {"accept": "application/json"}
        if key is not None:
            self._headers["authorization"] = f"Bearer {key}"
        self._retries = retries
        self._timeout = timeout

    def get(self, path: str, **query: object) -> Any:
        """Reads any address of the API, such as `get("/api/v1/metrics")`. Parameters that are None are left out."""
        return self._json("GET", path, query=query)

    def run(
        self,
        sql: str,
        parameters: Mapping[str, str] | None = None,
        *,
        is_fresh: bool = False,
        on_state: Callable[[Json], None] | None = None,
    ) -> Json:
        """Runs a query and waits for its end.

        Returns the run; `run["result"]["hash"]` is the address of its rows. The same query on the same data is
        answered by the stored result unless `is_fresh` is true. `on_state` is called with the run while it is
        queued or running. Raises AssayError for a query that fails or is canceled. Ctrl+C cancels the query.
        """
        body = {"sql": sql, "parameters": dict(parameters or {}), "isFresh": is_fresh}
        return self._ended(self._start("/api/v1/queries/runs", body), on_state)

    def run_saved(
        self,
        query_id: str,
        parameters: Mapping[str, str] | None = None,
        *,
        is_fresh: bool = False,
        on_state: Callable[[Json], None] | None = None,
    ) -> Json:
        """Runs a saved query by its id, with its own values for parameters that are left out."""
        body = {"parameters": dict(parameters or {}), "isFresh": is_fresh}
        return self._ended(self._start(f"/api/v1/queries/{_quoted(query_id)}/runs", body), on_state)

    def pages(
        self, result_hash: str, *, page_rows: int = _PAGE_ROWS, allow_truncated: bool = False
    ) -> Iterator[Json]:
        """Yields a stored result page by page. Each page has `rows` and the metadata of the `result`.

        Raises TruncatedError before the first page of a truncated result unless `allow_truncated` is set.
        """
        offset = 0
        while True:
            page: Json = self.get(
                f"/api/v1/queries/results/{_quoted(result_hash)}", offset=offset, limit=page_rows
            )
            if page["result"]["isTruncated"] and not allow_truncated:
                raise TruncatedError(page["result"]["rowCount"])
            yield page
            offset += len(page["rows"])
            if not page["rows"] or offset >= page["matchingRows"]:
                return

    def rows(
        self, result_hash: str, *, page_rows: int = _PAGE_ROWS, allow_truncated: bool = False
    ) -> Iterator[dict[str, Cell]]:
        """Yields the rows of a stored result as dictionaries keyed by column. Raises TruncatedError like `pages`."""
        for page in self.pages(result_hash, page_rows=page_rows, allow_truncated=allow_truncated):
            names = [column["name"] for column in page["result"]["columns"]]
            for row in page["rows"]:
                yield dict(zip(names, row, strict=True))

    def file(
        self,
        result_hash: str,
        format: FileFormat,
        *,
        offset: int | None = None,
        limit: int | None = None,
        allow_truncated: bool = False,
    ) -> HTTPResponse:
        """Opens a stored result as a file. Close it after reading, preferably with a `with` statement.

        `offset` and `limit` select rows. Raises TruncatedError for a truncated result unless `allow_truncated` is
        set. The first byte can take minutes because the server writes the whole file before it sends it.
        """
        path = f"/api/v1/queries/results/{_quoted(result_hash)}"
        answer = self._send(
            "GET",
            path,
            query={"format": format, "offset": offset, "limit": limit},
            timeout=max(self._timeout, _FILE_SECONDS),
        )
        if answer.headers.get("assay-truncated") == "true" and not allow_truncated:
            answer.close()
            raise TruncatedError(int(answer.headers.get("assay-rows", 0)))
        return answer

    def csv_rows(self, result_hash: str, *, allow_truncated: bool = False) -> Iterator[list[str]]:
        """Yields a stored result as rows of CSV, the names of the columns first, as the file comes."""
        with self.file(result_hash, "csv", allow_truncated=allow_truncated) as answer:
            yield from csv.reader(io.TextIOWrapper(answer, encoding="utf-8", newline=""))

    def json_rows(self, result_hash: str, *, allow_truncated: bool = False) -> Iterator[Json]:
        """Yields each row of a stored result as an object while the file downloads.

        Integers beyond 2^53 and decimals are strings, so they keep every digit.
        """
        with self.file(result_hash, "jsonl", allow_truncated=allow_truncated) as answer:
            for line in answer:
                if line.strip():
                    yield json.loads(line)

    def metrics(self) -> list[Json]:
        """Lists all metrics."""
        found = self.get("/api/v1/metrics")
        return found if isinstance(found, list) else found["metrics"]

    def metric(self, metric_id: str, **query: object) -> Json:
        """Reads the series of a metric, for example `metric("fees.total", entity="bitcoin", range="1y")`."""
        return self.get(f"/api/v1/metrics/{_quoted(metric_id)}", **query)

    def uploads(self) -> Json:
        """Lists uploads of the key's user, with the limits."""
        return self.get("/api/v1/uploads")

    def upload(
        self,
        name: str,
        content: bytes,
        *,
        file_name: str,
        mode: Literal["create", "replace", "append"] = "create",
    ) -> Json:
        """Keeps a file as a private table, `uploads.name` in SQL. The ending of `file_name` says what the file is."""
        draft = self._json(
            "POST", "/api/v1/uploads/drafts", query={"fileName": file_name}, content=content
        )
        return self._json("POST", "/api/v1/uploads", body={"draft": draft["id"], "name": name, "mode": mode})

    def _start(self, path: str, body: Json) -> Json:
        return self._json("POST", path, body={**body, "waitSeconds": _RUN_WAIT_SECONDS})

    def _ended(self, run: Json, on_state: Callable[[Json], None] | None) -> Json:
        path = f"/api/v1/queries/runs/{run['id']}"
        wait = 0.2
        try:
            while run["endedAt"] is None:
                if on_state is not None:
                    on_state(run)
                time.sleep(wait)
                wait = min(wait * 1.5, 3.0)
                run = self.get(path)
        except KeyboardInterrupt:
            self._json("DELETE", path)
            raise
        if run["problem"] is not None:
            raise AssayError(run["problem"])
        if run["state"] == "cancelled":
            raise AssayError({"status": 499, "code": "sql.cancelled", "detail": "The query was canceled."})
        return run

    def _json(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: Json | None = None,
        content: bytes | None = None,
    ) -> Any:
        with self._send(method, path, query=query, body=body, content=content) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: Json | None = None,
        content: bytes | None = None,
        timeout: float | None = None,
    ) -> HTTPResponse:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        url = f"{self._url}{path}" + (f"?{urllib.parse.urlencode(given)}" if given else "")
        headers = dict(self._headers)
        data = content
        if body is not None:
            data = json.dumps(body).encode()
            headers["content-type"] = "application/json"
        elif content is not None:
            headers["content-type"] = "application/octet-stream"
        for left in range(self._retries, -1, -1):
            request = urllib.request.Request(url, data=data, headers=headers, method=method)
            try:
                return urllib.request.urlopen(request, timeout=timeout or self._timeout)
            except urllib.error.HTTPError as error:
                with error:
                    if left > 0 and error.code in _RETRIED:
                        time.sleep(_wait_of(error.headers.get("retry-after")))
                        continue
                    raise AssayError(_problem_of(error)) from None
        raise AssertionError("unreachable")


def _quoted(part: str) -> str:
    return urllib.parse.quote(part, safe="")


def _wait_of(retry_after: str | None) -> float:
    try:
        return min(max(float(retry_after or 1), 0.0), _MAX_WAIT_SECONDS)
    except ValueError:
        return 1.0


def _problem_of(error: urllib.error.HTTPError) -> Json:
    try:
        said = json.loads(error.read())
    except ValueError:
        said = None
    if isinstance(said, dict) and "code" in said:
        return said
    return {"status": error.code, "code": "http.no_reason", "detail": f"The server answered {error.code}."}
