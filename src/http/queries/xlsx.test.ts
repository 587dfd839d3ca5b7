/** A spreadsheet would run a text as a formula, round a large number, or not open. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Problem, QueryRun } from '#http/contract.ts'
import { readZip } from '#queries/results/xlsx/zip.testing.ts'
import { ask, type Headers, signedIn, site } from './sharedSaved.testing.ts'

let owner: Headers
before(async () => {
  owner = await signedIn('sheets@example.org')
})

test('a workbook keeps formulas as texts, large numbers whole, and says what it rests on', async () => {
  const sql = `SELECT '=1+1' AS f, toUInt64(9007199254740993) AS big, 42 AS small, toDate('2026-01-31') AS d,
toDateTime('2026-01-31 12:00:00', 'UTC') AS t, CAST(NULL AS Nullable(String)) AS none, unhex('ff00') AS bytes,
'a<b>&' AS marked, 1.5 AS half, nan AS bad, true AS yes, toDecimal64('123456789.123456789', 9) AS exact, [1, 2] AS list,
concat('a', char(1), 'b') AS control, repeat('é', 40000) AS long`
  const run = await ask<QueryRun>('POST', '/api/v1/queries/runs', owner, { sql, waitSeconds: 30 })
  const hash = run.body.result?.hash
  assert.ok(hash !== undefined, JSON.stringify(run.body.problem))
  const url = `/api/v1/queries/results/${hash}?format=xlsx`
  const answer = await site.ask(url, { method: 'GET', headers: owner })
  assert.equal(answer.statusCode, 200)
  assert.match(String(answer.headers['content-disposition']), /\.xlsx/)
  const files = readZip(answer.rawPayload)
  const cells = /<\/row><row>(.*)<\/row>/.exec(files.get('xl/worksheets/sheet1.xml') ?? '')?.[1] ?? ''
  const text = (value: string) => `<c t="inlineStr"><is><t xml:space="preserve">${value}</t></is></c>`
  const expected = [
    text('=1+1'),
    text('9007199254740993'),
    '<c><v>42</v></c>',
    '<c s="2"><v>46053</v></c>',
    '<c s="3"><v>46053.5</v></c>',
    '<c/>',
    text('\\xff00'),
    text('a&lt;b&gt;&amp;'),
    '<c><v>1.5</v></c>',
    text('nan'),
    '<c t="b"><v>1</v></c>',
    text('123456789.123456789'),
    text('[1,2]'),
    text('a\uFFFDb'),
  ].join('')
  assert.equal(cells.slice(0, expected.length), expected)
  assert.match(
    cells.slice(expected.length),
    /^<c t="inlineStr"><is><t xml:space="preserve">é{32000,} … \(cut: too long for a cell\)</,
  )
  assert.ok(files.get('xl/worksheets/sheet2.xml')?.includes(hash))
  const guest = await ask<Problem>('GET', url)
  assert.equal(guest.status, 403)
})
