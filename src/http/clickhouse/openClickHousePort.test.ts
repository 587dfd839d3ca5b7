/** Grafana, Metabase and other ClickHouse clients could not query Assay, or would read wrong rows. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { until } from '#kernel/until.testing.ts'
import { createQueries } from '#queries/index.ts'
import { cityHash128 } from './cityHash128.ts'
import { compressedBlock } from './compressedBlocks.ts'
import { KEYS, openTestPort, type TestPort } from './port.testing.ts'

let port: TestPort
before(async () => {
  port = await openTestPort()
})
after(() => port[Symbol.asyncDispose]())

const post = (sql: string, query = '', more: Parameters<TestPort['ask']>[1] = {}) =>
  port.ask(`/?${query}`, { method: 'POST', body: sql, ...more })
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer())

describe('statements of drivers that are not recorded', () => {
  type Sent = { from: string; sql: string; query?: string; rows?: number; holds?: string }
  const SENT = readFileSync(new URL('./drivers.cases.jsonl', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Sent)

  test('are answered, each with what it asks for', async () => {
    const differing: unknown[] = []
    for (const { from, sql, query = '', rows, holds } of SENT) {
      // As recorded, and once more in a format that can be counted.
      const asSent = await post(sql, query)
      const readable = query.replace(
        /(?:default_format=Native|client_protocol_version=\d+|compress=1)&?/g,
        '',
      )
      const answer = await post(sql.replace(/\s*FORMAT \w+$/, ''), readable)
      const text = await answer.text()
      const lines = text.split('\n').slice(0, -1)
      const isAsked =
        asSent.status === 200 &&
        answer.status === 200 &&
        (rows === undefined || lines.length === rows) &&
        (holds === undefined || new RegExp(`(^|\\t)${holds}(\\t|$)`, 'm').test(text))
      if (!isAsked)
        differing.push({ from, sql, asSent: asSent.status, status: answer.status, text: text.slice(0, 400) })
      await asSent.arrayBuffer()
    }
    assert.deepEqual(differing, [])
  })
})

describe('a request', () => {
  test('is by the key as password, in any of three ways, with any user name', async () => {
    const ways = [
      post('SELECT 1'),
      post('SELECT 1', '', {
        key: null,
        headers: { 'x-clickhouse-user': 'a', 'x-clickhouse-key': KEYS.guest },
      }),
      post('SELECT 1', `user=b&password=${KEYS.guest}`, { key: null }),
    ]
    for (const answer of await Promise.all(ways)) assert.equal(await answer.text(), '1\n')
  })

  test('is answered with the newest block of each chain that it reads', async () => {
    const headerOf = async (sql: string) => {
      const answer = await post(sql)
      await answer.arrayBuffer()
      return answer.headers.get('assay-as-of')
    }
    assert.match((await headerOf('SELECT count() FROM btc_blocks')) ?? '', /^bitcoin=100000@2010-/)
    assert.equal(await headerOf('SELECT 1'), null)
  })

  test('holds its statement in the address, the body, both or a form', async () => {
    assert.equal(await (await port.ask('/?query=SELECT%201')).text(), '1\n')
    assert.equal(await port.text(' + 1', 'query=SELECT%201'), '2\n')
    const form = new FormData()
    form.set('query', 'SELECT {n:UInt8}')
    form.set('param_n', '3')
    assert.equal(await (await port.ask('/', { method: 'POST', body: form })).text(), '3\n')
  })

  test('binds parameters in the escaped form of the interface, and leaves unused ones alone', async () => {
    const query = new URLSearchParams({
      param_text: String.raw`a\tb\\c\'d`,
      param_list: `['x', 'y\\'z']`,
      param_none: String.raw`\N`,
      param_unused: '1',
    })
    const sql =
      'SELECT {text:String} AS text, {list:Array(String)} AS list, {none:Nullable(String)} AS none FORMAT JSONEachRow'
    assert.deepEqual(JSON.parse(await port.text(sql, String(query))), {
      text: "a\tb\\c'd",
      list: ['x', "y'z"],
      none: null,
    })
    assert.match(
      await port.text('SELECT {text:String}'),
      /^Code: 456\. .*`text` .*has no value.* Send it as `param_text` with the request\. \(UNKNOWN_QUERY_PARAMETER\)/,
    )
    const pattern = new URLSearchParams({ param_pattern: String.raw`^\d+\.\w` })
    assert.equal(
      await port.text('SELECT {pattern:String} FORMAT RawBLOB', String(pattern)),
      String.raw`^\d+\.\w`,
    )
  })

  test('chooses its format by clause, parameter or header, in this order', async () => {
    const headers = { 'x-clickhouse-format': 'CSV' }
    const formats = async (sql: string, query: string) =>
      (await post(sql, query, { headers })).headers.get('x-clickhouse-format')
    assert.equal(await formats('SELECT 1 FORMAT JSON;', 'default_format=XML'), 'JSON')
    assert.equal(await formats('SELECT 1', 'default_format=XML'), 'XML')
    assert.equal(await formats('SELECT 1', ''), 'CSV')
    assert.equal((await post('SELECT 1')).headers.get('x-clickhouse-format'), 'TabSeparated')
  })

  test('is answered in every family of formats', async () => {
    const starts = [
      ['JSON', '{'],
      ['JSONCompact', '{'],
      ['JSONEachRow', '{"a":1,"b":"x"}\n'],
      ['CSVWithNames', '"a","b"\n1,"x"\n'],
      ['TSVWithNamesAndTypes', 'a\tb\nUInt8\tString\n1\tx\n'],
      ['RowBinaryWithNamesAndTypes', '\x02\x01a\x01b\x05UInt8\x06String\x01\x01x'],
      ['Native', '\x02\x01\x01a\x05UInt8\x01\x01b\x06String\x01x'],
      ['Parquet', 'PAR1'],
      ['Arrow', 'ARROW1'],
      ['ArrowStream', '\xff\xff\xff\xff'],
    ] as const
    for (const [format, start] of starts) {
      const bytes = await bytesOf(await post(`SELECT 1 AS a, 'x' AS b FORMAT ${format}`))
      assert.equal(bytes.subarray(0, start.length).toString('latin1'), start, format)
    }
  })

  test('without rows has its columns where the format has them', async () => {
    const starts = [
      ['RowBinaryWithNamesAndTypes', '\x02\x01a\x01b\x05UInt8\x06String'],
      ['TSVWithNamesAndTypes', 'a\tb\nUInt8\tString\n'],
      ['CSVWithNames', '"a","b"\n'],
      ['JSONCompactEachRowWithNamesAndTypes', '["a", "b"]\n["UInt8", "String"]\n'],
      ['TSV', ''],
    ] as const
    for (const [format, all] of starts) {
      const bytes = await bytesOf(await post(`SELECT 1 AS a, 'x' AS b WHERE 0 FORMAT ${format}`))
      assert.equal(bytes.toString('latin1'), all, format)
    }
    const json = JSON.parse(await port.text('SELECT 1 AS a WHERE 0 FORMAT JSON'))
    assert.deepEqual([json.meta, json.data], [[{ name: 'a', type: 'UInt8' }], []])
  })

  test('may be compressed by HTTP', async () => {
    const sql = 'SELECT number FROM numbers(1000)'
    const plain = await port.text(sql)
    for (const [encoding, unpack] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
      ['zstd', zstdDecompressSync],
    ] as const) {
      const answer = await rawPost(`${sql}`, 'enable_http_compression=1', { 'accept-encoding': encoding })
      assert.equal(answer.encoding, encoding)
      assert.equal(unpack(answer.bytes).toString(), plain)
    }
    assert.equal((await rawPost(sql, '', { 'accept-encoding': 'gzip' })).encoding, undefined)
  })

  test('may be compressed in blocks of ClickHouse', async () => {
    const sql = 'SELECT number, toString(number) FROM numbers(100000)'
    const plain = await port.text(sql)
    const packed = await bytesOf(await post(sql, 'compress=1'))
    const contents: Buffer[] = []
    for (let at = 0; at < packed.length; ) {
      const size = packed.readUInt32LE(at + 17)
      const block = packed.subarray(at + 16, at + 16 + size)
      assert.deepEqual(cityHash128(block), packed.subarray(at, at + 16))
      assert.equal(block[0], 0x82)
      contents.push(literals(block.subarray(9)))
      assert.equal(block.readUInt32LE(5), contents.at(-1)?.length)
      at += 16 + size
    }
    assert.equal(Buffer.concat(contents).toString(), plain)
  })

  test('has headers with its id, its zone and a summary', async () => {
    const { headers } = await post('SELECT 1', 'query_id=my%20own%20id&send_progress_in_http_headers=1')
    assert.equal(headers.get('x-clickhouse-query-id'), 'my own id')
    assert.equal(headers.get('x-clickhouse-timezone'), 'UTC')
    assert.equal(headers.get('x-clickhouse-server-display-name'), 'Assay')
    const summary = JSON.parse(headers.get('x-clickhouse-summary') ?? '')
    assert.deepEqual([summary.result_rows, summary.written_rows], ['1', '0'])
    // What the engine does not count is left out instead of being zero.
    assert.equal(summary.read_rows, undefined)
    assert.equal(headers.get('x-clickhouse-progress'), null)
    const made = (await post('SELECT 1')).headers.get('x-clickhouse-query-id')
    assert.match(made ?? '', /^[0-9a-f-]{36}$/)
  })

  test('for health needs no key', async () => {
    for (const path of ['/ping', '/replicas_status', '/'])
      assert.equal(await (await port.ask(path, { key: null })).text(), 'Ok.\n')
    const head = await port.ask('/ping', { method: 'HEAD', key: null })
    assert.equal(head.status, 200)
    assert.equal((await port.ask('/?query=SELECT%201', { method: 'HEAD' })).status, 200)
    assert.equal((await port.ask('/?query=SELECT%201', { method: 'HEAD', key: null })).status, 403)
  })
})

describe('limits', () => {
  test('above ours are clamped and not refused', async () => {
    const query =
      'max_execution_time=600&max_memory_usage=99999999999999&max_result_rows=999999999&max_block_size=1&session_id=s&max_threads=64&readonly=2&wait_end_of_query=1'
    assert.equal(await port.text('SELECT 1', query), '1\n')
  })

  test('are those of the owner of the key: a result is refused whole, never cut in silence', async () => {
    const rows = async (key: string, count: number) => {
      const answer = await post(`SELECT number FROM numbers(${count})`, '', { key })
      return {
        status: answer.status,
        code: answer.headers.get('x-clickhouse-exception-code'),
        text: await answer.text(),
      }
    }
    const most = await rows(KEYS.guest, 10_000)
    assert.equal(most.status, 200)
    assert.equal(most.text.split('\n').length, 10_001)
    assert.equal((await rows(KEYS.guest, 10_001)).code, '396')
    assert.equal((await rows(KEYS.member, 20_000)).status, 200)
  })

  test('of a client hold where they are narrower', async () => {
    assert.match(await port.text('SELECT number FROM numbers(20)', 'max_result_rows=5'), /^Code: 396\./)
    const cut = await port.text(
      'SELECT number FROM numbers(1000)',
      'max_result_rows=5&result_overflow_mode=break&max_block_size=10',
    )
    assert.equal(cut, '0\n1\n2\n3\n4\n')
    assert.equal(await port.text('SELECT number FROM numbers(20)', 'limit=2&offset=1'), '1\n2\n')
    const slow = await post(
      'SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1',
      'max_execution_time=1',
    )
    assert.equal(slow.headers.get('x-clickhouse-exception-code'), '159')
    await slow.arrayBuffer()
  })
})

describe('a running query', () => {
  const ENDLESS = 'SELECT count() FROM numbers(100000000000) WHERE sipHash64(number) = 1'
  const isRunning = async (): Promise<boolean> => {
    const result = await port.site.warehouse.reader.query({
      query:
        "SELECT count() AS n FROM system.processes WHERE query LIKE '%sipHash64(number) = 1%' AND query NOT LIKE '%system.processes%'",
      format: 'JSONEachRow',
    })
    return (await result.json<{ n: number }>()).some(({ n }) => Number(n) > 0)
  }

  test('is killed by its owner alone, by the id that the owner gave it', async () => {
    const slow = post(ENDLESS, 'query_id=mine')
    await until('the query runs', isRunning)
    const kill = (key: string) =>
      post("KILL QUERY WHERE query_id = 'mine' SYNC FORMAT JSONEachRow", '', { key }).then(answer =>
        answer.text(),
      )
    assert.equal(await kill(KEYS.other), '')
    assert.match(await port.text('SELECT 1', 'query_id=mine'), /^Code: 216\./)
    assert.equal(await (await post('SELECT 1', 'query_id=mine', { key: KEYS.other })).text(), '1\n')
    assert.match(await kill(KEYS.member), /"query_id":"mine"/)
    const ended = await slow
    assert.equal(ended.headers.get('x-clickhouse-exception-code'), '394')
    await ended.arrayBuffer()
  })

  test('ends when its client leaves', async () => {
    const leave = new AbortController()
    const slow = post(ENDLESS, '', { signal: leave.signal }).catch(() => undefined)
    await until('the query runs', isRunning)
    leave.abort()
    await slow
    await until('the query has ended', async () => !(await isRunning()))
  })
})

test('errors have ClickHouse’s form, with the place of the fault', async () => {
  const answer = await post('SELECT\n  missing FROM btc_blocks')
  assert.equal(answer.status, 400)
  assert.equal(answer.headers.get('x-clickhouse-exception-code'), '47')
  assert.match(
    await answer.text(),
    /^Code: 47\. DB::Exception: .*missing.*\(line 2, col 3\).* \(UNKNOWN_IDENTIFIER\) \(version \d+\.\d+[\d.]* \(official build\)\)\n$/,
  )
})

describe('a SETTINGS clause', () => {
  test('sets what a parameter of the request may set', async () => {
    assert.equal(await port.text('SELECT 1 SETTINGS max_threads = 4, max_memory_usage = 1e12'), '1\n')
    assert.equal(await port.text('SELECT * FROM (SELECT 1 SETTINGS max_execution_time = 10)'), '1\n')
    assert.match(
      await port.text('SELECT number FROM numbers(9) SETTINGS max_result_rows = 5'),
      /^Code: 396\./,
    )
    const quoted = 'SELECT toUInt64(1) AS n SETTINGS output_format_json_quote_64bit_integers = 1'
    for (const sql of [
      `${quoted} FORMAT JSONEachRow`,
      `${quoted.replace('SETTINGS', 'FORMAT JSONEachRow SETTINGS')}`,
    ])
      assert.equal(await port.text(sql), '{"n":"1"}\n')
    assert.equal(await port.text('SELECT 1 AS settings'), '1\n')
    assert.match(await port.text('SELECT 1 SETTINGS join_use_nulls = 1'), /^Code: 164\./)
  })

  test('filters tables, as Grafana does for ad hoc filters', async () => {
    const heights = (sql: string, filter: string) =>
      port.text(`${sql} settings additional_table_filters={'btc_blocks' : ' ${filter} '}`)
    const SQL = 'SELECT height FROM btc_blocks ORDER BY height'
    const all = (await port.text(SQL)).trim().split('\n')
    assert.equal(await heights(SQL, String.raw`height = \'${all[1]}\'`), `${all[1]}\n`)
    assert.equal(await heights(SQL, String.raw`height = \'${all[1]}\' -- or not`), `${all[1]}\n`)
    const joined =
      'SELECT b.height FROM "default"."btc_blocks" AS b JOIN default.btc_blocks c ON b.height = c.height'
    assert.equal(await heights(joined, `height = ${all[1]}`), `${all[1]}\n`)
    assert.equal(await heights('SELECT btc_blocks.height FROM btc_blocks', 'height < 0'), '')
  })
})

test('a request may come in compressed blocks', async () => {
  const send = (body: Buffer) =>
    post('', 'decompress=1', { body: new Uint8Array(body) }).then(answer => answer.text())
  const sql = Buffer.from('SELECT 1 + 1')
  assert.equal(await send(compressedBlock(sql)), '2\n')
  // Twelve literals, then a copy of eight signs from four before: what an encoder makes of repeated text.
  const repeated = Buffer.concat([
    Buffer.from([0xc4]),
    Buffer.from('SELECT 1 + 1'),
    Buffer.from([4, 0, 0x00]),
  ])
  const head = Buffer.alloc(9)
  head[0] = 0x82
  head.writeUInt32LE(9 + repeated.length, 1)
  head.writeUInt32LE(20, 5)
  const block = Buffer.concat([head, repeated])
  assert.equal(await send(Buffer.concat([cityHash128(block), block])), '4\n')
  const whole = compressedBlock(sql)
  for (const broken of [whole.subarray(0, 20), whole.subarray(0, -1), Buffer.from(whole).fill(0, 0, 1)])
    assert.match(await send(broken), /^Code: 36\./)
  const large = Buffer.from(whole)
  large.writeUInt32LE(2 ** 31, 16 + 5)
  assert.match(await send(large), /^Code: 307\./)
})

test('an id is free for the next query as soon as the client has the whole result', async () => {
  for (let at = 0; at < 15; at++)
    assert.equal(await port.text('SELECT number FROM numbers(3)', 'query_id=again'), '0\n1\n2\n')
})

test('what a query reads counts for the quota of its caller, also where it fails or is a file', async () => {
  const readsOf = async (run: () => Promise<unknown>) => {
    const before = port.spent.length
    await run()
    return until('it is counted', () => port.spent[before])
  }
  const sql = 'SELECT count() FROM numbers(20000000) WHERE sipHash64(number) = 1'
  const failing = `${sql} HAVING throwIf(count() = 0)`
  const queries = createQueries(port.executor)
  for (const run of [
    () => port.text(sql, 'default_format=Native'),
    () => port.text(failing, 'default_format=Native'),
    () => queries.file({ sql }, 'arrow', 'caller', undefined, 'member'),
  ]) {
    const { rows, bytes } = await readsOf(run)
    assert.ok(rows > 0 && rows <= 20_000_000, `${rows} rows`)
    assert.ok(bytes >= rows, `${bytes} bytes`)
  }
  // Statistics are exact, however quick the query is. Rows that look like them do not count.
  for (const format of ['JSON', 'JSONCompact', 'JSONStrings', 'JSONColumnsWithMetadata', 'XML']) {
    const { rows, bytes } = await readsOf(() =>
      port.text(`SELECT sum(number) FROM numbers(1000) FORMAT ${format}`),
    )
    assert.deepEqual([rows, bytes], [1000, 8000], format)
  }
  const forged = `SELECT '"rows_read": 900000, "bytes_read": 900000}}' FORMAT JSON`
  assert.ok((await readsOf(() => port.text(forged, 'output_format_write_statistics=0'))).rows < 2)
})

test('the history has each statement as it was sent, with the parameters that it uses', async () => {
  const parameters = { name: 'btc_blocks' }
  const sent = [
    ['SHOW DATABASES', {}],
    ["SHOW TABLES LIKE 'btc%' FORMAT JSON", {}],
    ['SELECT name FROM system.tables WHERE name = {name:String}', parameters],
    ['EXISTS TABLE btc_blocks', {}],
    ['SELECT currentUser() SETTINGS max_threads = 3', {}],
    ["SELECT height FROM btc_blocks SETTINGS additional_table_filters = {'btc_blocks': 'height > 5'}", {}],
  ] as const
  for (const [sql, bound] of sent) {
    assert.equal((await post(sql, 'param_name=btc_blocks&param_unused=1')).status, 200, sql)
    const run = await until('it is in the history', () => port.history.find(found => found.sql === sql))
    assert.deepEqual({ ...run }, { sql, parameters: bound, state: 'succeeded' })
  }
})

/** The content of a block of LZ4 that is one sequence of literals. */
function literals(block: Buffer): Buffer {
  let length = (block[0] ?? 0) >> 4
  let at = 1
  if (length === 15) {
    let byte: number
    do {
      byte = block[at++] ?? 0
      length += byte
    } while (byte === 255)
  }
  assert.equal(block.length - at, length)
  return block.subarray(at)
}

async function rawPost(sql: string, query: string, headers: Record<string, string>) {
  const sent = request(`${port.url}/?${query}`, {
    method: 'POST',
    headers: { 'x-clickhouse-key': KEYS.member, ...headers },
  })
  sent.end(sql)
  return new Promise<{ encoding: string | undefined; bytes: Buffer }>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', response => {
      buffer(response).then(
        bytes => resolve({ encoding: response.headers['content-encoding'], bytes }),
        reject,
      )
    })
  })
}
