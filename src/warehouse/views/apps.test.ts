/** Events of applications on Stacks would be missing from tables. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testCatalog } from '#catalog/testing.ts'
import { type ClarityType, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { decideStacks, type Printable, printOf, writeMadeStacks } from '#metrics/madeStacks.testing.ts'
import prints from '../../../catalog/stacks/prints.json' with { type: 'json' }
import { openTestWarehouse } from '../testing.ts'

const { stacksApps: STACKS_APPS } = await testCatalog()
const ALICE = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'

/** A value of a type: every number another one, so that a field that is taken for its neighbour shows. */
function madeOf(type: ClarityType, next: () => bigint): Printable {
  switch (type.type) {
    case 'uint':
    case 'int':
    case 'unknown':
      return next()
    case 'bool':
      return true
    case 'principal':
    case 'trait':
      return `'${ALICE}`
    case 'buffer':
      return '0x01'
    case 'string-ascii':
    case 'string-utf8':
      return 'x'
    case 'optional':
      return null
    case 'list':
      return []
    case 'tuple':
      return Object.fromEntries(type.fields.map(field => [field.name, madeOf(field.type, next)]))
    case 'response':
      return true
  }
}

const put = (value: Printable, path: readonly string[], text: string): Printable => {
  const [name = '', ...rest] = path
  const fields = value as Readonly<Record<string, Printable>>
  return { ...fields, [name]: rest.length === 0 ? text : put(fields[name] ?? {}, rest, text) }
}
const at = (value: Printable, path: string): Printable =>
  path.split('.').reduce((of: Printable, name) => (of as Record<string, Printable>)[name] ?? null, value)

describe('what applications on Stacks print', () => {
  let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
  const read = async <Row = Record<string, unknown>>(query: string) =>
    (await warehouse.guest.query({ query, format: 'JSONEachRow' })).json<Row>()
  before(async () => {
    warehouse = await openTestWarehouse()
  })
  after(() => warehouse[Symbol.asyncDispose]())

  test('no contract stands in two groups of one table', () => {
    for (const app of STACKS_APPS) {
      const seen = new Set<string>()
      for (const { table, contracts } of app.events)
        for (const contract of contracts) {
          assert.ok(!seen.has(`${table} ${contract}`), contract)
          seen.add(`${table} ${contract}`)
        }
    }
  })

  test('every print of the contracts’ own sources is of the kind that is declared for it, with its figures', async () => {
    const shapes = parsePrintCatalogue(prints)
    let n = 0n
    const made = STACKS_APPS.flatMap(({ events }) =>
      events.flatMap(({ table, contracts, kinds, others = [] }) =>
        contracts.flatMap(contract =>
          (shapes.get(contract) ?? []).flatMap(({ type, literals }) => {
            if (type.type !== 'tuple') return []
            let value = madeOf(type, () => ++n + 1000n)
            for (const { path, text } of literals) value = put(value, path, text)
            const words = literals.map(({ text }) => text)
            const kind = kinds.find(({ event, has }) =>
              event === ''
                ? words.length === 0 && has !== undefined && at(value, has) !== null
                : words.includes(event),
            )
            const isOther =
              kind === undefined && (words.length === 0 || words.some(word => others.includes(word)))
            return [{ table, contract, value, kind, isOther }]
          }),
        ),
      ),
    )
    assert.ok(made.length > 300)
    assert.deepEqual(
      made
        .filter(({ kind, isOther }) => kind === undefined && !isOther)
        .map(({ contract, value }) => [contract, value]),
      [],
      'a print of the source is neither declared nor left out by name',
    )
    await writeMadeStacks(warehouse, [
      {
        height: 1,
        timeS: 1_780_000_000,
        burnHeight: 900_000,
        txs: [{ name: 'all', events: made.map(({ contract, value }) => printOf(contract, value)) }],
      },
    ])
    for (const table of ['lend', 'cdp', 'lst', 'vault']) {
      const rows = await read<Record<string, string | number | null>>(
        `SELECT * FROM stx_${table}_events WHERE height = 1 ORDER BY event_index`,
      )
      const expected = made.flatMap((print, index) =>
        print.table === table && print.kind !== undefined ? [{ ...print, index, kind: print.kind }] : [],
      )
      assert.deepEqual(
        rows.map(({ event_index, contract, kind }) => [event_index, contract, kind]),
        expected.map(({ index, contract, kind }) => [index, contract, kind.kind]),
      )
      for (const [i, { kind, value, contract }] of expected.entries())
        for (const [column, path] of Object.entries(kind.fields)) {
          const told = at(value, path)
          const text = typeof told === 'string' ? told.replace(/^'/, '') : String(told)
          if (column !== 'asset')
            assert.equal(String(rows[i]?.[column]), text, `${contract} ${kind.kind} ${column}`)
        }
    }
  })

  test('a print whose shape changed is a row without figures, and a reorg takes rows back', async () => {
    const pool = 'SP2VCQJGH7PHP2DJK7Z0V48AGBHQAW3R3ZW1QF4N.pool-borrow-v2-4'
    const supply = (data: Printable) => printOf(pool, { type: 'supply', payload: { key: `'${ALICE}`, data } })
    const blocks = [
      {
        height: 2,
        timeS: 1_780_000_100,
        burnHeight: 900_000,
        txs: [
          {
            name: 'changed',
            events: [
              supply({ amount: 5n, lp: `'${ALICE}`, asset: `'${ALICE}` }),
              supply({ amount: 'five', lp: `'${ALICE}`, asset: `'${ALICE}` }),
              supply({ shares: 5n, asset: `'${ALICE}` }),
              printOf(pool, { type: 'supply-v9', payload: { amount: 5n } }),
              printOf(pool, { note: 'nothing that names it' }),
            ],
          },
        ],
      },
    ]
    await writeMadeStacks(warehouse, blocks, 2)
    const rows = () =>
      read(
        `SELECT event, kind, toString(amount) AS amount, account FROM stx_lend_events WHERE height = 2 ORDER BY event_index`,
      )
    assert.deepEqual(await rows(), [
      { event: 'supply', kind: 'supply', amount: '5', account: ALICE },
      { event: 'supply', kind: 'unknown', amount: null, account: '' },
      { event: 'supply', kind: 'unknown', amount: null, account: '' },
      { event: 'supply-v9', kind: 'unknown', amount: null, account: '' },
    ])
    await decideStacks(warehouse, 2, false, blocks)
    assert.deepEqual(await rows(), [])
  })
})
