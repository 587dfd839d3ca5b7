/** A reader would look for a table under a wrong subject, or meet tables of ingest among those of data. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableGroups } from './tableGroups.ts'

const titleOf = (name: string): string | undefined => tableGroups([{ name }])[0]?.title

test('each table is in one group of its subject', () => {
  const expected = {
    btc_blocks: 'Bitcoin blocks',
    btc_output_days: 'Bitcoin by day',
    btc_inscriptions: 'Bitcoin layers and data',
    stx_sbtc_deposits: 'sBTC',
    stx_dex_swaps: 'Stacks DeFi',
    stx_block_commits: 'Stacks mining',
    stx_stackers: 'Stacks stacking',
    stx_nft_sales: 'Stacks tokens, NFTs',
    stx_call_args: 'Stacks contracts',
    stx_blocks: 'Stacks blocks',
    sip_votes: 'Stacks governance',
    evm_txs: 'EVM layers',
    chain_txs: 'All chains',
    prices: 'Prices and sources',
    index_levels: 'Indices',
    treasury_holders: 'Treasuries',
    yield_days: 'Yield',
    dev_days: 'Developers',
    something_new: 'Other',
  }
  for (const [name, title] of Object.entries(expected)) assert.equal(titleOf(name), title, name)
})

test('tables that ingest writes for itself come last', () => {
  for (const name of ['btc_batches', 'stx_ingest_states', 'rollup_runs', 'evm_bucket_signatures', 'dev_runs'])
    assert.equal(titleOf(name), 'Indexing internals', name)
  const groups = tableGroups([{ name: 'btc_batches' }, { name: 'dev_days' }, { name: 'btc_txs' }])
  assert.deepEqual(
    groups.map(({ title }) => title),
    ['Bitcoin blocks', 'Developers', 'Indexing internals'],
  )
})
