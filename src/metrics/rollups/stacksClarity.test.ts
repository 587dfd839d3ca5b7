/** Use of Clarity functions would be miscounted. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { testCatalog } from '#catalog/testing.ts'
import { CLARITY_WORDS } from '#kernel/clarityWords.ts'
import { silentLog } from '#kernel/log.ts'
import { seedOf } from '#kernel/seed.testing.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { refreshRollups } from './refresh.ts'

const SP = 'SP3FBR2AGK5H9QBDH3EEN6DF8EK8JY7RX8QJ5SVTE'
const ST = 'ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM'
/** A moment after epoch 3.3 began. */
const START_S = 1_763_000_000

type Made = { source: string; version?: number; deployer?: string }
type Call = { contract: string; cost: readonly number[] | null }

describe('words of Clarity in sources, and what calls cost', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  let batch = 0
  let seq = 0

  before(async () => {
    warehouse = await openTestWarehouse()
  })
  after(() => warehouse[Symbol.asyncDispose]())

  const write = (query: string) => warehouse.writer.command({ query })
  const read = async <Row = Record<string, unknown>>(query: string) =>
    (await warehouse.reader.query({ query, format: 'JSONEachRow' })).json<Row>()
  const refresh = async () => refreshRollups({ warehouse, catalog: await testCatalog(), log: silentLog })
  const decide = (of: number, isLive: boolean) =>
    write(`INSERT INTO base.stx_batches (batch, seq, is_live) VALUES (${of}, ${++seq}, ${isLive})`)

  /** A block with contracts and calls in it, at a height of its own. Returns its batch. */
  async function addBlock(
    height: number,
    made: readonly Made[],
    calls: readonly Call[] = [],
    burnHeight = 923_300,
  ): Promise<number> {
    const id = ++batch
    const at = START_S + height
    await write(
      `INSERT INTO base.stx_blocks (batch, height, block_time, hash, burn_height, source) VALUES (${id}, ${height}, ${at}, unhex('${id.toString(16).padStart(64, '0')}'), ${burnHeight}, 'events')`,
    )
    if (made.length > 0)
      await warehouse.writer.insert({
        table: 'base.stx_contracts',
        format: 'JSONEachRow',
        values: made.map(({ source, version = null, deployer = SP }, index) => ({
          batch: id,
          height,
          block_time: at,
          tx_index: index,
          txid: String(index).padStart(32, '0'),
          contract: `${deployer}.c${height}-${index}`,
          deployer,
          clarity_version: version,
          source_code: source,
        })),
      })
    for (const [index, { contract, cost }] of calls.entries()) {
      const [runtime, readCount, readLength, writeCount, writeLength] = cost ?? Array(5).fill('NULL')
      await write(
        `INSERT INTO base.stx_txs (batch, height, block_time, tx_index, kind, contract, runtime, read_count, read_length, write_count, write_length)
VALUES (${id}, ${height}, ${at}, ${index}, 'contract_call', '${contract}', ${runtime}, ${readCount}, ${readLength}, ${writeCount}, ${writeLength})`,
      )
    }
    await decide(id, true)
    return id
  }

  /** How often each word is used in each source, all of one version. */
  async function usesOf(sources: readonly string[], version = 6): Promise<Record<string, number>[]> {
    const height = 1000 + batch
    const id = await addBlock(
      height,
      sources.map(source => ({ source, version })),
    )
    await refresh()
    const rows = await read<{ contract: string; word: string; use_count: number }>(
      `SELECT contract, word, use_count FROM stx_source_words WHERE contract LIKE '%.c${height}-%'`,
    )
    await decide(id, false)
    return sources.map((_, index) =>
      Object.fromEntries(
        rows
          .filter(({ contract }) => contract === `${SP}.c${height}-${index}`)
          .map(({ word, use_count }) => [word, use_count]),
      ),
    )
  }

  test('words count where the language reads them, and nowhere else', async () => {
    const cases: readonly (readonly [string, Record<string, number>])[] = [
      ["(contract-hash? 'SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF.BNS-V2)", { 'contract-hash?': 1 }],
      [
        '(as-contract? ((with-stx u1) (with-ft .t "*" u2)) (try! (stx-transfer? u1 current-contract tx-sender)))',
        { 'as-contract?': 1, 'with-stx': 1, 'with-ft': 1, 'current-contract': 1 },
      ],
      ['(map to-ascii? (list 1 2)) (ok (to-ascii? u1))', { 'to-ascii?': 2 }],
      [';; (to-ascii? 1)\n(ok true) ; (contract-hash? x)', {}],
      ['(print "(to-ascii? 1)") (print u"(as-contract? () true)")', {}],
      ['(print "a \\" (to-ascii? 1) \\\\") (to-ascii? 2)', { 'to-ascii?': 1 }],
      ['(print "a ; no comment") (to-ascii? 2) ;"\n(print ";") (to-ascii? 3) ; "', { 'to-ascii?': 2 }],
      ['(my-to-ascii? 1) (to-ascii?-mine 1) (to-ascii 1) (x/to-ascii? 1)', {}],
      ['(contract-call? .to-ascii? contract-hash? u1) (use-trait t .a.with-stx)', {}],
      ["(contract-call? 'SP000000000000000000002Q6VF78.clock stacks-block-time)", {}],
      [
        '(print { stacks-block-time: stacks-block-time, a:current-contract })',
        {
          'stacks-block-time': 1,
          'current-contract': 1,
        },
      ],
      ['(get stacks-block-time x) (define-public (f (t <to-ascii?>)) (ok t))', {}],
      [
        '(restrict-assets?\n;; why\ntx-sender (\n\t(with-all-assets-unsafe)) true)',
        {
          'restrict-assets?': 1,
          'with-all-assets-unsafe': 1,
        },
      ],
      ['(print u"é 漢字 (to-ascii? 1) \u{1f600}")(to-ascii? u"日本")', { 'to-ascii?': 1 }],
      ['(to-ascii? 1) "never closed (to-ascii? 2)', { 'to-ascii?': 1 }],
      ['(to-ascii? "x\\', { 'to-ascii?': 1 }],
      ['', {}],
      [
        '(with-pox) (with-staking u1) (ed25519-verify a b c) (with-stacking u1)',
        {
          'with-pox': 1,
          'with-staking': 1,
          'ed25519-verify': 1,
        },
      ],
    ]
    const found = await usesOf(cases.map(([source]) => source))
    for (const [index, [source, expected]] of cases.entries())
      assert.deepEqual(found[index], expected, source)
  })

  test('a contract of an older version may call a thing of its own the same', async () => {
    const source = '(define-private (to-ascii? (a int)) a) (to-ascii? 1) (with-stacking u1) (with-pox)'
    assert.deepEqual(await usesOf([source], 3), [{}])
    assert.deepEqual(await usesOf(['(to-ascii? 1) (with-stacking u1) (with-pox)'], 5), [
      { 'to-ascii?': 1, 'with-stacking': 1 },
    ])
  })

  test('whatever stands around, as many words are found as were written where they count', async t => {
    const names = CLARITY_WORDS.filter(({ to, kind }) => to === undefined && kind !== 'keyword').map(
      ({ word }) => word,
    )
    const quoted = fc
      .string({ unit: 'grapheme-ascii', maxLength: 30 })
      .map(text => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"'))
    const piece = fc.oneof(
      fc.constantFrom(...names).map(word => ({ text: `(${word} u1) `, word })),
      fc.constantFrom(...names).map(word => ({ text: ` ;; (${word} u1)"\n`, word: '' })),
      fc.constantFrom(...names).map(word => ({ text: `(a-${word} .${word} ${word}) `, word: '' })),
      fc.tuple(quoted, fc.constantFrom(...names), fc.constantFrom('', 'u')).map(([text, word, utf8]) => ({
        text: `(print ${utf8}"${text}(${word} ;") `,
        word: '',
      })),
      fc.constantFrom('(', ')', '{', '}', ' ', '\n', 'a:', ',', '0x00', "'SP1", '-1', '<=').map(text => ({
        text: ` ${text} `,
        word: '',
      })),
    )
    const seed = seedOf(t)
    const sources = fc.sample(fc.array(piece, { maxLength: 40 }), { numRuns: 150, seed })
    const found = await usesOf(sources.map(pieces => pieces.map(({ text }) => text).join('')))
    for (const [index, pieces] of sources.entries()) {
      const expected: Record<string, number> = {}
      for (const { word } of pieces) if (word !== '') expected[word] = (expected[word] ?? 0) + 1
      const source = JSON.stringify(pieces.map(({ text }) => text).join(''))
      assert.deepEqual(found[index], expected, source)
    }
  })

  test('a contract that names no version is of the epoch of its Bitcoin block, on the main network alone', async () => {
    const cases: readonly (readonly [string, number, Omit<Made, 'source'>?])[] = [
      ['3', 923_221],
      ['4', 923_222],
      ['5', 943_333],
      ['6', 960_230],
      ['2', 960_230, { version: 2 }],
      ['1', 700_000],
      ['unknown', 960_230, { deployer: ST }],
    ]
    const blocks = []
    for (const [index, [, burnHeight, more]] of cases.entries())
      blocks.push(await addBlock(5000 + index, [{ source: '', ...more }], [], burnHeight))
    await refresh()
    const rows = await read<{ clarity_version: string }>(
      'SELECT clarity_version FROM stx_made_contracts WHERE height BETWEEN 5000 AND 5100 ORDER BY height',
    )
    assert.deepEqual(
      rows.map(row => row.clarity_version),
      cases.map(([version]) => version),
    )
    for (const block of blocks) await decide(block, false)
  })

  test('a call takes of each budget what its block allows, and the tightest is the largest share', async () => {
    const contract = `${SP}.called`
    const cost = [5_000_000, 300, 1_000_000, 15, 15_000]
    const before = await addBlock(
      8000,
      [],
      [
        { contract, cost },
        { contract, cost: null },
      ],
      960_229,
    )
    const since = await addBlock(8001, [], [{ contract, cost }], 960_230)
    await refresh()
    const rows = await read<{ budget: string; shares: number[] }>(
      `SELECT toString(budget) AS budget, arraySort(groupArray(share_ppm)) AS shares, sum(call_count) AS calls
FROM stx_cost_days WHERE contract = '${contract}' GROUP BY budget`,
    )
    assert.deepEqual(Object.fromEntries(rows.map(({ budget, shares }) => [budget, shares])), {
      tightest: [10_000, 20_000],
      runtime: [1_000],
      read_count: [10_000, 20_000],
      read_length: [5_000, 10_000],
      write_count: [1_000],
      write_length: [1_000],
    })
    await decide(before, false)
    await decide(since, false)
  })

  test('after a reorg the rows are those of a chain that never held the lost block', async () => {
    const tables = ['stx_made_contracts', 'stx_source_words', 'stx_cost_days', 'stx_contract_days']
    const all = () => Promise.all(tables.map(name => read(`SELECT * FROM ${name} ORDER BY ALL`)))
    const contract = `${SP}.c9000-0`
    await addBlock(9000, [{ source: '(to-ascii? 1)' }], [{ contract, cost: [1e7, 9, 9, 9, 9] }])
    await refresh()
    const clean = await all()
    assert.ok(clean.every(rows => rows.length > 0))
    const lost = await addBlock(
      9001,
      [{ source: '(contract-hash? x)' }, { source: '(with-stx u1)' }],
      [{ contract, cost: [2e7, 9, 9, 9, 9] }],
    )
    await refresh()
    assert.notDeepEqual(await all(), clean)
    await decide(lost, false)
    await refresh()
    assert.deepEqual(await all(), clean)
  })
})
