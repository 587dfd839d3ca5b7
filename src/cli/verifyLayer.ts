import process from 'node:process'
import { verifyEvm } from '#ingest/evm/index.ts'
import type { EvmLayer } from '#kernel/evm.ts'
import { EVM } from '#warehouse/index.ts'
import type { Rooms } from '../main.ts'
import { openLayer, openSecondSource } from './openLayer.ts'
import { stopSignal } from './stop.ts'

type Options = {
  readonly from?: number
  readonly to?: number
  readonly againstNode: boolean
  readonly source?: string
  readonly samples?: number
}

/**
 * `assay verify --chain <layer>`: what is held against itself, and sampled heights against a second source: the address
 * given, or with `--against-node` the configured endpoints. Needs no lease, so it may run beside an ingest.
 */
export async function verifyLayer(
  rooms: Rooms,
  chain: EvmLayer,
  { from, to, againstNode, source: url, samples }: Options,
): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const source =
    url !== undefined
      ? opened.use(await openSecondSource(rooms.config, chain, url))
      : againstNode
        ? opened.use(await openLayer(rooms, chain)).source
        : undefined
  const { blockCount, sampled, differences } = await verifyEvm(
    { warehouse: rooms.warehouse, of: { family: EVM, chain } },
    { from, to, source, samples, signal: stopSignal() },
  )
  for (const { height, what, held, expected } of differences)
    console.log(`block ${height}: ${what}: indexed ${held}, expected ${expected}`)
  const compared = source === undefined ? '' : `, ${sampled.length} compared with the source`
  console.log(`${blockCount} blocks checked${compared}, ${differences.length} differences`)
  if (differences.length > 0) process.exitCode = 1
}
