import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach } from 'node:test'
import { createEventIndex, EventFacts, openEvmCodec } from '#chains/evm/index.ts'
import { createEvmSource, type EndpointConfig, openEvmClient } from '#chains/evm/node/index.ts'
import { type EvmIngest, type EvmIngestConfig, openEvmIngest } from '#ingest/evm/openEvmIngest.ts'
import { createRandom, digestOf, emptyTables } from '#ingest/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { type MadeLayer, openMadeLayer } from '#tests/evm/madeLayer.ts'
import { EVM } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import catalogEvents from '../../catalog/evm/events.json' with { type: 'json' }

export const CHAIN_ID = 60_808
export const events = createEventIndex(EventFacts.parse(catalogEvents))
export const codecOf = (chainId: number) =>
  openEvmCodec({ chainId, headerForm: 'standard', checksumChainId: null })
export const SMALL = { batchBlocks: 20, loadBytes: 60_000, crossCheckEvery: 25 }
export const warehouse = await openTestWarehouse()
export let layer: MadeLayer
export const home = await mkdtemp(join(tmpdir(), 'assay-evm-'))
export const random = createRandom(7)

export const sourceOf = (endpoints: readonly EndpointConfig[], chainId = CHAIN_ID) =>
  createEvmSource(codecOf(chainId), openEvmClient({ chainId, chainName: 'BOB', endpoints, rounds: 2 }), {
    traces: true,
  })

export const open = (more: Partial<EvmIngestConfig> = {}): Promise<EvmIngest> =>
  openEvmIngest({
    warehouse,
    home,
    layer: 'bob',
    name: 'BOB',
    codec: codecOf(CHAIN_ID),
    events,
    source: sourceOf([{ url: layer.anvil.url }]),
    log: silentLog,
    pollMs: 1,
    limits: SMALL,
    ...more,
  })

export const rows = async <Row>(query: string): Promise<Row[]> =>
  (await warehouse.guest.query({ query, format: 'JSONEachRow' })).json<Row>()

export const one = async <Row>(query: string): Promise<Row> => (await rows<Row>(query))[0]!

/** What a run over the chain as it is now leaves in empty tables; the tables are empty again after. */
export async function cleanDigest(): Promise<Record<string, string>> {
  await emptyTables(warehouse, EVM)
  await using ingest = await open({ limits: {} })
  await ingest.backfill({ from: 0 })
  const digest = await digestOf(warehouse, EVM)
  await emptyTables(warehouse, EVM)
  return digest
}

after(async () => {
  await warehouse[Symbol.asyncDispose]()
  await rm(home, { recursive: true })
})

/** Before each test, empties the tables and makes a layer. */
export function setUpEvmIngest(): void {
  beforeEach(async () => {
    await emptyTables(warehouse, EVM)
    layer = await openMadeLayer({ chainId: CHAIN_ID })
  })
  afterEach(() => layer[Symbol.asyncDispose]())
}
