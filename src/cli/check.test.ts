/** A provenance file would check equal on other data, or name the wrong input. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { site } from '#http/sharedApi.testing.ts'
import { type Bundle, bundle, hashOf } from '#queries/index.ts'
import { observations } from '#warehouse/tables/observations.ts'
import { check, createServerClient, readProvenanceFile, type Verdict } from './check.ts'

const folder = await mkdtemp(join(tmpdir(), 'assay-check-'))
after(() => rm(folder, { recursive: true, force: true }))
const address = await site.app.listen({ port: 0, host: '127.0.0.1' })
const server = createServerClient(address, undefined, new AbortController().signal)

const BLOCKS_SQL = 'SELECT height, hash, tx_count / 3 AS share FROM btc_blocks ORDER BY height'
const fileOf = (sql: string): Promise<Bundle> => server.provenance({ kind: 'query', sql, parameters: {} })
const command = (query: string) =>
  site.warehouse.writer.command({ query, clickhouse_settings: { mutations_sync: '2' } })

/** Outcome of a check while a statement has changed the data. */
async function whileChanged(file: Bundle, change: string, back: string): Promise<Verdict> {
  await command(change)
  try {
    await site.version.refresh()
    return await check(file, server)
  } finally {
    await command(back)
  }
}

test('a result checks equal, with a small file', async () => {
  const file = await fileOf(BLOCKS_SQL)
  assert.ok(JSON.stringify(file).length < 10_000)
  assert.deepEqual(await check(file, server), {
    isEqual: true,
    isResultEqual: true,
    isRounded: false,
    difference: null,
    input: null,
    figure: null,
    problem: null,
  })
})

test('rows hash alike whatever their order and form of zero, and differently with any cell changed', async () => {
  const hashes = async (sql: string) => (await fileOf(sql)).result
  const values = (rows: string) => `SELECT * FROM values('a Nullable(String), b Float64', ${rows})`
  const one = await hashes(values("('x', 0.1), (NULL, 0), ('', 2)"))
  assert.deepEqual(await hashes(values("('', 2), ('x', 0.1), (NULL, -0.)")), one)
  for (const rows of [
    "('x', 0.1), (NULL, 0), (NULL, 2)",
    "('x', 0.2), (NULL, 0), ('', 2)",
    "('x', 0.1), (NULL, 0)",
  ])
    assert.notEqual((await hashes(values(rows))).hash, one.hash, rows)
  const near = await hashes(values("('x', 0.10000000000000002), (NULL, 0), ('', 2)"))
  assert.notEqual(near.hash, one.hash)
  assert.equal(near.roundedHash, one.roundedHash)
})

test('a changed block is named with both hashes', async () => {
  const file = await fileOf(BLOCKS_SQL)
  const hash = '00000000d1145790a8694403d4063f323d499e655c83426834d4ce2f8dd4a2ee'
  const other = `ff${hash.slice(2)}`
  const set = (text: string) =>
    `ALTER TABLE base.btc_blocks UPDATE hash = unhex('${text}') WHERE height = 170`
  const verdict = await whileChanged(file, set(other), set(hash))
  assert.equal(verdict.isEqual, false)
  assert.deepEqual(verdict.input, {
    kind: 'block',
    record: 'blocks',
    chain: 'bitcoin',
    height: 170,
    file: hash,
    server: other,
  })
  assert.equal(
    verdict.difference,
    `Block 170 of Bitcoin differs: ${hash} in the file, ${other} on the server.`,
  )
  assert.equal((await check(file, server)).isEqual, true)
})

test('blocks that the server lacks are named', async () => {
  const file = await fileOf(BLOCKS_SQL)
  const { inputs } = file
  const [input] = inputs
  assert.equal(input?.kind, 'blocks')
  const longer = bundle.parse({
    ...file,
    inputs: [
      {
        ...input,
        to: 100_001,
        count: 5,
        runs: [...(input?.kind === 'blocks' ? input.runs : []), [100_001, 100_001]],
        hash: hashOf('more'),
      },
    ],
  })
  const verdict = await check(longer, server)
  assert.equal(
    verdict.difference,
    'This server has Bitcoin up to height 100000. The file needs block 100001.',
  )
  assert.equal(verdict.isEqual, false)
})

test('a changed value of a source is named with both values', async () => {
  const row = { metric: 'tvl.total', entity: 'rootstock', breakdown: '', amount: null, source: 'a source' }
  await site.warehouse.insertRows(
    observations,
    [1.5, 2.25, 3].map((value, i) => ({
      ...row,
      day: `2026-01-0${i + 1}`,
      value,
      observedAt: 1_770_000_000,
    })),
  )
  const file = await fileOf(
    "SELECT day, value FROM latest_observations WHERE metric = 'tvl.total' ORDER BY day",
  )
  const set = (value: string) =>
    `ALTER TABLE base.observations UPDATE value = ${value} WHERE source = 'a source' AND day = '2026-01-02'`
  const verdict = await whileChanged(file, set('2.5'), set('2.25'))
  assert.equal(
    verdict.difference,
    'Tvl.total of rootstock on 2026-01-02 by source a source differs: 2.25 in the file, 2.5 on the server.',
  )
  assert.equal(verdict.isResultEqual, false)
})

test('a metric of another definition is named', async () => {
  const file = await server.provenance({
    kind: 'metric',
    metric: 'fees.total',
    request: { entity: 'bitcoin', grain: 'day' },
  } as Bundle['subject'])
  assert.equal((await check(file, server)).isEqual, true)
  assert.equal(file.subject.kind, 'metric')
  if (file.subject.kind !== 'metric') return
  const { version: _, ...definition } = { ...file.subject.definition, definition: 'Fees and tips.' }
  const { name, unit, aggregate, sql } = definition
  const version = hashOf(JSON.stringify(['fees.total', name, unit, aggregate, definition.definition, sql]))
  const verdict = await check(
    { ...file, subject: { ...file.subject, definition: { ...definition, version } } },
    server,
  )
  assert.deepEqual(verdict.input, { kind: 'metric', name: 'fees.total' })
  assert.match(
    verdict.difference ?? '',
    /^The definition of the metric fees\.total differs \(definition\): version/,
  )
})

test('a hostile file is refused in a sentence', async () => {
  const file = await fileOf('SELECT 1')
  const cases: readonly (readonly [text: string, sentence: RegExp])[] = [
    ['', /not JSON/],
    ['[]', /not a provenance file/],
    [JSON.stringify({ ...file, version: 2 }), /version 2 of the format/],
    [JSON.stringify({ ...file, version: '\u001b[2J' }), /version/],
    [JSON.stringify({ ...file, more: 1 }), /malformed/],
    [JSON.stringify({ ...file, inputs: [{ kind: 'blocks', chain: '\u001b[31m' }] }), /malformed/],
    [JSON.stringify({ ...file, inputs: 'x' }), /malformed/],
    [JSON.stringify({ ...file, subject: { ...file.subject, sql: 1 } }), /malformed/],
    [' '.repeat(4 * 2 ** 20 + 1), /larger than 4 MiB/],
  ]
  for (const [at, [text, sentence]] of cases.entries()) {
    const path = join(folder, `${at}.json`)
    await writeFile(path, text)
    await assert.rejects(readProvenanceFile(path), (thrown: Error) => {
      assert.match(thrown.message, sentence)
      assert.doesNotMatch(thrown.message, /\p{Cc}/u)
      return true
    })
  }
  const writes = await check(
    { ...file, subject: { kind: 'query', sql: 'DROP TABLE base.btc_blocks', parameters: {} } },
    server,
  )
  assert.match(writes.problem ?? '', /read-only/)
  assert.equal(writes.isResultEqual, null)
  for (const name of ["x' OR 1=1 --", '\u0000'])
    assert.equal(
      (
        await check(
          {
            ...file,
            inputs: [
              {
                kind: 'values',
                table: 'observations',
                name,
                source: "') FORMAT Null --",
                to: '2026-01-01',
                count: 1,
                hash: hashOf(''),
                sum: '1',
                moment: '1',
                bits: '1',
              },
            ],
          },
          server,
        )
      ).isEqual,
      false,
    )
})

test('redirects and servers of another kind are refused', async () => {
  const { createServer } = await import('node:http')
  const elsewhere = createServer((request, response) =>
    request.url?.includes('blocks')
      ? response.end('<html>')
      : response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
  )
  await new Promise<void>(resolve => elsewhere.listen(0, '127.0.0.1', resolve))
  const place = elsewhere.address()
  assert.ok(typeof place === 'object' && place !== null)
  try {
    const client = createServerClient(
      `http://127.0.0.1:${place.port}`,
      undefined,
      new AbortController().signal,
    )
    await assert.rejects(client.digest([]), /Redirects are not followed/)
    await assert.rejects(
      client.blocks({ kind: 'blocks', record: 'blocks', chain: 'bitcoin', from: 0, to: 0 }),
      /no Assay server/,
    )
  } finally {
    elsewhere.close()
  }
})
