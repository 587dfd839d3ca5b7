/** Rows of a layer would show under the name of another. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { evmIngestStates } from './tables/evm.ts'
import { openTestWarehouse } from './testing.ts'
import type { Warehouse } from './warehouse.ts'

const state = (chain: string, seq: bigint) => ({
  chain,
  seq,
  changedAt: 1_700_000_000,
  state: 'following' as const,
  sentence: '',
  sourceTip: null,
  heldTip: null,
})

const read = async ({ reader }: Warehouse, query: string): Promise<unknown> =>
  (await reader.query({ query, format: 'JSONEachRow' })).json()

const STATES = 'SELECT toString(chain) AS chain FROM evm_ingest_states ORDER BY chain'
const TYPES = `SELECT DISTINCT type FROM system.columns
WHERE name = 'chain' AND type LIKE 'Enum8%' AND table LIKE 'evm_%' ORDER BY type`
const chains = (...names: string[]) => names.map(chain => ({ chain }))

test('a warehouse learns layers as the catalogue gains them, and forgets no code where it loses one', async () => {
  const home = await mkdtemp(join(tmpdir(), 'assay-layers-'))
  try {
    {
      await using warehouse = await openTestWarehouse({ home, layers: ['rootstock', 'bob'] })
      await warehouse.insertRows(evmIngestStates, [state('bob', 1n), state('rootstock', 2n)])
      await assert.rejects(warehouse.insertRows(evmIngestStates, [state('meridian', 3n)]))
      assert.deepEqual(await read(warehouse, TYPES), [{ type: "Enum8('rootstock' = 0, 'bob' = 1)" }])
    }
    {
      // New ones stand before and between the old ones of the catalogue, and one is gone.
      await using warehouse = await openTestWarehouse({ home, layers: ['abacus', 'bob', 'meridian'] })
      await warehouse.insertRows(evmIngestStates, [state('meridian', 3n), state('abacus', 4n)])
      assert.deepEqual(await read(warehouse, TYPES), [
        { type: "Enum8('rootstock' = 0, 'bob' = 1, 'abacus' = 2, 'meridian' = 3)" },
      ])
      assert.deepEqual(await read(warehouse, STATES), chains('abacus', 'bob', 'meridian', 'rootstock'))
      // Each table of calls by the hour has a chain before the layers.
      assert.deepEqual(
        await read(
          warehouse,
          "SELECT DISTINCT type FROM system.columns WHERE name = 'chain' AND table IN ('call_hours', 'nested_hours')",
        ),
        [{ type: "Enum8('stacks' = 0, 'rootstock' = 1, 'bob' = 2, 'abacus' = 3, 'meridian' = 4)" }],
      )
      assert.deepEqual(
        await read(warehouse, "SELECT count() AS rows FROM chain_blocks WHERE chain = 'meridian'"),
        [{ rows: 0 }],
      )
      assert.deepEqual((await warehouse.migrate()).changes, [])
    }
    await using warehouse = await openTestWarehouse({ home, layers: ['meridian', 'rootstock'] })
    assert.deepEqual(await read(warehouse, STATES), chains('abacus', 'bob', 'meridian', 'rootstock'))
  } finally {
    await rm(home, { recursive: true, force: true })
  }
})
