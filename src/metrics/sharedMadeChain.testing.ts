import { after, beforeEach } from 'node:test'
import { schemaOf } from '#warehouse/index.ts'
import { truncateTables } from '#warehouse/testing.ts'
import { COIN, DAY_S, type MadeBlock, type MadeTx } from './madeChain.testing.ts'
import { openEmptyMetrics } from './testing.ts'

export const site = await openEmptyMetrics()
export const TABLES = schemaOf({ evm: [], stacksApps: [] }).tables.map(({ name }) => name)
export const START = Date.UTC(2020, 0, 1) / 1000
export const dayOf = (n: number) => new Date((START + n * DAY_S) * 1000).toISOString().slice(0, 10)

export const coinbase = (height: number, sat = 50n * COIN, name = `coinbase ${height}`): MadeTx => ({
  name,
  outputs: [{ to: `miner ${height}`, sat }],
})

/** Twelve blocks a day from 2020-01-01 on, so that medians close each day but the last; `change` replaces transactions. */
export function chain(
  days: number,
  change: (height: number) => readonly MadeTx[] | undefined = () => undefined,
): MadeBlock[] {
  return Array.from({ length: days * 12 }, (_, height) => ({
    timeS: START + height * 7200,
    txs: change(height) ?? [coinbase(height)],
  }))
}

export const series = async (
  id: string,
  more: { from?: string; to?: string; grain?: string; unit?: 'usd' } = {},
) => site.metrics.series({ id, entity: 'bitcoin', ...more })

export const values = async (id: string) => (await series(id)).points.map(({ value }) => value)

export const source = (id: string, rank: bigint) => ({
  id,
  name: id,
  url: '',
  licence: '',
  rank,
  cadenceSeconds: null,
  recordedAt: START,
  about: '',
})

after(() => site[Symbol.asyncDispose]())

beforeEach(() => truncateTables(site.warehouse, TABLES))
