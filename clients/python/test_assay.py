"""A program with the Python client would get wrong rows, miss an error or hammer a busy server."""

import json
import os
import threading
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer

from assay import Assay, AssayError, TruncatedError

URL = os.environ["ASSAY_URL"]
KEY = os.environ["ASSAY_KEY"]


class Client(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Assay(URL, KEY)

    def hash_of(self, sql: str) -> str:
        return self.client.run(sql)["result"]["hash"]

    def test_runs_a_query_and_pages_its_result(self) -> None:
        states: list[str] = []
        run = self.client.run(
            "SELECT number AS n, toString(number) AS t FROM numbers({rows:UInt16})",
            {"rows": "2500"},
            on_state=lambda each: states.append(each["state"]),
        )
        self.assertEqual(run["result"]["rowCount"], 2500)
        rows = list(self.client.rows(run["result"]["hash"], page_rows=1000))
        self.assertEqual(rows, [{"n": n, "t": str(n)} for n in range(2500)])
        self.assertTrue(all(state in ("queued", "running") for state in states))

    def test_streams_csv_and_json_lines(self) -> None:
        result = self.hash_of("SELECT number AS n, 'a, \"b\"' AS t FROM numbers(2)")
        self.assertEqual(list(self.client.csv_rows(result)), [["n", "t"], ["0", 'a, "b"'], ["1", 'a, "b"']])
        self.assertEqual([row["n"] for row in self.client.json_rows(result)], [0, 1])

    def test_never_reads_a_cut_result_unasked(self) -> None:
        result = self.hash_of("SELECT number AS n FROM numbers(1000001)")
        for read in (self.client.rows, self.client.csv_rows, self.client.json_rows):
            with self.assertRaises(TruncatedError) as caught:
                next(read(result))
            self.assertEqual(caught.exception.row_count, 1_000_000)
            self.assertIsNotNone(next(read(result, allow_truncated=True)))
        with self.client.file(result, "csv", offset=5, limit=2, allow_truncated=True) as answer:
            self.assertEqual(answer.read(), b'"n"\r\n5\r\n6\r\n')

    def test_raises_errors_with_code_detail_and_hint(self) -> None:
        with self.assertRaises(AssayError) as caught:
            self.client.run("SELECT heigth FROM btc_blocks")
        self.assertEqual(caught.exception.code, "sql.unknown_column")
        self.assertIn("heigth", caught.exception.detail)
        with self.assertRaises(AssayError) as refused:
            Assay(URL, "assay_wrong").run("SELECT 1")
        self.assertEqual((refused.exception.status, refused.exception.code), (401, "accounts.key"))

    def test_reads_metrics_and_runs_a_saved_query(self) -> None:
        self.assertIn("fees.total", [metric["id"] for metric in self.client.metrics()])
        self.assertGreater(len(self.client.metric("fees.total", entity="bitcoin")["points"]), 0)
        run = self.client.run_saved(os.environ["ASSAY_QUERY"])
        self.assertEqual(list(self.client.rows(run["result"]["hash"])), [{"saved": 7}])

    def test_keeps_an_upload(self) -> None:
        kept = self.client.upload("from_python", b"day,value\n2026-01-01,5\n", file_name="days.csv")
        self.assertEqual(kept["rowCount"], 1)
        rows = list(self.client.rows(self.hash_of("SELECT value FROM uploads.from_python")))
        self.assertEqual(rows, [{"value": 5}])

    def test_sends_again_when_a_busy_server_asks_for_it(self) -> None:
        statuses = [429, 503, 200]

        class Busy(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status = statuses.pop(0)
                self.send_response(status)
                self.send_header("retry-after", "0")
                self.end_headers()
                self.wfile.write(json.dumps({"ok": status == 200}).encode())

            def log_message(self, *_: object) -> None:
                pass

        with HTTPServer(("127.0.0.1", 0), Busy) as server:
            thread = threading.Thread(target=server.serve_forever, daemon=True)
            thread.start()
            self.assertEqual(Assay(f"http://127.0.0.1:{server.server_port}").get("/"), {"ok": True})
            server.shutdown()
        self.assertEqual(statuses, [])


if __name__ == "__main__":
    unittest.main()
