/** An uploaded file would be misread, or a broken one accepted. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Problem, UploadDraft } from '#http/contract.ts'
import { newSeed } from '#kernel/seed.testing.ts'
import { xlsxOf } from '#queries/uploads/convert/xlsx.testing.ts'
import { ask, site } from '../queries/sharedSaved.testing.ts'
import { databases, keep, owner, read, rows, run, upload } from './uploading.testing.ts'

const SEED = newSeed()

test('values come back exactly as the file has them', async () => {
  const column = fc.record({
    whole: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    large: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    exact: fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 99 })),
    text: fc.string({ unit: 'grapheme', minLength: 1 }),
    day: fc.date({ min: new Date('1900-01-01'), max: new Date('2299-12-31'), noInvalidDate: true }),
    isIt: fc.boolean(),
  })
  const values = fc.sample(column, { numRuns: 300, seed: SEED })
  const lines = values.map(({ whole, large, exact: [units, cents], text, day, isIt }) => [
    String(whole),
    String(large),
    `${units}.${String(cents).padStart(2, '0')}`,
    text,
    day.toISOString().slice(0, 10),
    String(isIt),
  ])
  const csv = [
    'whole,large,exact,text,day,is_it',
    ...lines.map(cells => cells.map(cell => `"${cell.replaceAll('"', '""')}"`).join()),
  ]
  const made = await upload('exactly', csv.join('\r\n'))
  assert.deepEqual(
    made.columns.map(({ type }) => type),
    ['Int64', 'UInt256', 'Decimal(38, 2)', 'String', 'Date32', 'Bool'],
  )
  const found = await rows(
    'SELECT toString(whole), toString(large), toDecimalString(exact, 2), text, toString(day), toString(is_it) FROM uploads.exactly LIMIT 1000',
  )
  assert.deepEqual([...found].sort(), lines.map(cells => [...cells]).sort(), `seed ${SEED}`)
})

test('types are inferred only where all values fit, and what does not is shown with its row', async () => {
  const columns = async (text: string) => (await read(text)).body.columns
  const [flip] = await columns(`n\n${'7\n'.repeat(50)}N/A\n`)
  assert.deepEqual(
    [flip?.type, flip?.doubt?.count, flip?.doubt?.rows],
    ['String', 1, [{ row: 52, value: 'N/A' }]],
  )
  const [ambiguous] = await columns('d\n03/04/2026\n')
  assert.deepEqual([ambiguous?.type, ambiguous?.doubt?.rows], ['String', [{ row: 2, value: '03/04/2026' }]])
  const typeOf = async (...values: string[]) => {
    const [column] = await columns(`v\n${values.map(value => `"${value}"`).join('\n')}\n`)
    return [column?.type, column?.format, column?.doubt === null]
  }
  assert.deepEqual(await typeOf('03/04/2026', '31/04/2026', '13/05/2026'), ['String', 'plain', false])
  assert.deepEqual(await typeOf('03/04/2026', '13/05/2026'), ['Date', 'dayFirst', true])
  assert.deepEqual(await typeOf('2026-02-30'), ['String', 'plain', true])
  assert.deepEqual(await typeOf('2026-02-28', '2026-02-30'), ['String', 'plain', false])
  assert.deepEqual(await typeOf('1,234'), ['String', 'plain', false])
  assert.deepEqual(await typeOf('1,234,567', '12'), ['Int64', 'commaThousands', true])
  assert.deepEqual(await typeOf('1.234,5', '2.000'), ['Decimal(38, 1)', 'pointThousands', true])
  assert.deepEqual(await typeOf('9223372036854775807'), ['Int64', 'plain', true])
  assert.deepEqual(await typeOf('9223372036854775808'), ['Int256', 'plain', true])
  assert.deepEqual(await typeOf(`${2n ** 256n - 1n}`), ['UInt256', 'plain', true])
  assert.deepEqual(await typeOf(`${2n ** 256n}`), ['String', 'plain', true])
  assert.deepEqual(await typeOf('007'), ['String', 'plain', true])
  assert.deepEqual(await typeOf('1e-7', '2'), ['Float64', 'plain', false])
  assert.deepEqual(await typeOf('2026-01-02T03:04:05.123456Z'), ['DateTime', 'plain', true])
  assert.deepEqual(await typeOf('=HYPERLINK(1)', '<b>'), ['String', 'plain', true])
})

test('a type can be corrected, and a value that does not fit is refused with its place or left empty', async () => {
  const { body: draft } = await read('n\n1\nx\n')
  const changed = await ask<UploadDraft>('PUT', `/api/v1/uploads/drafts/${draft.id}`, owner, {
    columns: [{ name: 'amount', type: 'Int256', format: 'plain' }],
  })
  assert.deepEqual(changed.body.columns[0]?.doubt?.rows, [{ row: 3, value: 'x' }])
  const refused = await keep(draft.id, 'corrected')
  assert.deepEqual([refused.status, refused.body.code], [422, 'uploads.value'])
  assert.match(refused.body.detail, /^Row 3, column amount: /)
  const kept = await keep(draft.id, 'corrected', { misfits: 'empty' })
  assert.deepEqual(kept.body.columns, [{ name: 'amount', type: 'Nullable(Int256)' }])
  assert.deepEqual(await rows('SELECT amount FROM uploads.corrected ORDER BY amount'), [[1], [null]])
  for (const columns of [
    [{ type: "Int64) ENGINE = URL('http://x')" }],
    [{ type: 'Int64', name: 'a`b' }],
    [],
  ]) {
    const { body } = await read('n\n1\n')
    const { status } = await ask('PUT', `/api/v1/uploads/drafts/${body.id}`, owner, { columns })
    assert.ok(status === 400 || status === 422)
  }
})

test('a workbook and a Parquet file become tables with the same values', async () => {
  const sheet = await read(
    xlsxOf(
      '<row r="1"><c r="A1" t="inlineStr"><is><t>day</t></is></c><c r="B1" t="inlineStr"><is><t>sats</t></is></c></row><row r="2"><c r="A2" s="1"><v>46115</v></c><c r="B2"><v>21</v></c></row>',
    ),
    { fileName: 'sheet.xlsx' },
  )
  assert.deepEqual(
    sheet.body.columns?.map(({ name, type }) => [name, type]),
    [
      ['day', 'Date'],
      ['sats', 'Int64'],
    ],
    sheet.text,
  )
  const { result } = await run(
    "SELECT toDecimal256('7237005577332262213973186563042994240829374041602535252466099000494570', 0) AS wei, toDecimal128('1.000000000000000001', 18) AS eth, toDate('2026-04-03') AS day, toDateTime64('2026-01-02 03:04:05.123456', 6, 'Asia/Tokyo') AS at, unhex('ff00') AS hash, true AS ok, NULL::Nullable(String) AS nothing",
  )
  const file = await site.ask(`/api/v1/queries/results/${result?.hash}?format=parquet`, { headers: owner })
  const { body, text } = await read(file.rawPayload, { fileName: 'x.parquet' })
  assert.equal((await keep(body.id, 'columnar')).status, 200, text)
  assert.deepEqual(
    await rows(
      'SELECT toString(wei), toString(eth), toString(day), toString(at), hash, ok, nothing FROM uploads.columnar',
    ),
    [
      [
        '7237005577332262213973186563042994240829374041602535252466099000494570',
        '1.000000000000000001',
        '2026-04-03',
        '2026-01-01 18:04:05.123456',
        'ff00',
        true,
        null,
      ],
    ],
    JSON.stringify(body.columns),
  )
})

test('hostile and broken files are refused with a reason, and nothing of them is kept', async () => {
  const before = await databases()
  const parquet = Buffer.concat([
    Buffer.from('PAR1'),
    Buffer.alloc(64, 1),
    Buffer.from([0xff, 0xff, 0xff, 0x7f]),
    Buffer.from('PAR1'),
  ])
  const files: [string, string | Buffer, number, string][] = [
    ['a.parquet', parquet, 422, 'uploads.unreadable'],
    ['a.parquet', 'a,b', 422, 'uploads.unreadable'],
    ['a.xlsx', Buffer.from('PK\x03\x04 no more'), 422, 'uploads.unreadable'],
    ['a.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 422, 'uploads.unreadable'],
    ['a.csv', Buffer.from('1f8b0800', 'hex'), 422, 'uploads.unreadable'],
    ['a.csv', '', 422, 'uploads.empty'],
    ['a.csv', `${Array.from({ length: 10_000 }, (_, at) => `c${at}`)}\n`, 422, 'uploads.too_many_columns'],
    ['a.csv', 'a\n"open', 422, 'uploads.quotes'],
    ['a.csv', Buffer.from('a\n\xe4\n', 'latin1'), 422, 'uploads.encoding'],
  ]
  for (const [fileName, bytes, status, code] of files) {
    const answer = await read(bytes, { fileName })
    assert.deepEqual([answer.status, answer.body.code], [status, code], `${fileName} ${answer.text}`)
  }
  for (const name of ['Upper', '1st', 'a-b', "a'; DROP", '../x', 'a'.repeat(64)]) {
    const { body } = await read('a\n1\n')
    assert.deepEqual((await keep(body.id, name)).body.code, 'uploads.name')
  }
  const announced = await ask<Problem>(
    'POST',
    '/api/v1/uploads/drafts?fileName=a.csv',
    { ...owner, 'content-length': '2000000000' },
    'a',
  )
  assert.ok(announced.status === 413 || announced.status === 400)
  assert.deepEqual(await databases(), before)
})
