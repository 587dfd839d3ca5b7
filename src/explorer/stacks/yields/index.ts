import { addressOf } from '#chains/bitcoin/index.ts'
import { isAddress } from '#chains/stacks/index.ts'
import { ExplorerError } from '../../errors.ts'
import { bytesOf, type Reader, readRows } from '../../readRows.ts'
import { bondedByCycle, cycleOf, stakedByCycle } from './pox5.ts'
import { type Draft, pricedRows, type YieldRow } from './price.ts'
import {
  readBondRows,
  readClaimRows,
  readDirectRows,
  readPoolRows,
  readSharers,
  readStackerRows,
  readStakeRows,
} from './read.ts'

export type YieldFull = {
  address: string
  rows: YieldRow[]
  totals: {
    paidUstx: string
    paidSat: string
    paidUsd: number
    cycles: number
    cyclesPaid: number
    cyclesPriced: number
  }
}

/** The script of a PoX address, by its version (pox-4.clar: 0 P2PKH, 1 to 3 P2SH, 4 P2WPKH, 5 P2WSH, 6 P2TR). */
function poxScript(version: string, hash: string): Uint8Array {
  const kind = Number.parseInt(version || '0', 16)
  const hex =
    kind === 0
      ? `76a914${hash}88ac`
      : kind <= 3
        ? `a914${hash}87`
        : kind === 4
          ? `0014${hash.slice(0, 40)}`
          : kind === 5
            ? `0020${hash}`
            : `5120${hash}`
  return bytesOf(hex)
}

const part = (whole: string, of: bigint, all: bigint): string =>
  all === 0n ? '0' : String((BigInt(whole) * of) / all)

/**
 * What an address had stacked by cycle and what it got, by what is recorded and by the blocks held. Throws
 * `explorer.address` for what is no principal of Stacks; one of whom nothing is known has no rows.
 */
export async function readYield(reader: Reader, asked: string): Promise<YieldFull> {
  const address = asked.trim()
  const [owner = '', name] = address.split('.')
  if (!isAddress(owner) || (name !== undefined && !/^[a-zA-Z][a-zA-Z0-9_-]{0,127}$/.test(name)))
    throw new ExplorerError('explorer.address', `${address.slice(0, 60)} is no address of Stacks.`, {
      hint: 'Addresses start with SP or SM and end in a checksum. A contract name follows after a dot.',
      facts: { address: address.slice(0, 60) },
    })
  const [pools, stackers, stakes, bonds, claims, [tip]] = await Promise.all([
    readPoolRows(reader, address),
    readStackerRows(reader, address),
    readStakeRows(reader, address),
    readBondRows(reader, address),
    readClaimRows(reader, address),
    readRows<{ burnHeight: number | null }>(
      reader,
      'SELECT maxOrNull(burn_height) AS burnHeight FROM stx_blocks',
    ),
  ])
  const last = tip?.burnHeight == null ? -1 : cycleOf(tip.burnHeight)
  const pooled = new Set(pools.map(({ cycle }) => cycle))
  const drafts: Draft[] = [
    ...pools.map((row): Draft => {
      const ustx = BigInt(row.amountUstx)
      const isPaid = row.poolPaidUstx !== null && row.poolStackedUstx !== null
      return {
        cycle: row.cycle,
        way: 'pool',
        via: row.pool,
        stackedUstx: row.amountUstx,
        stackedSat: null,
        paidUstx: isPaid ? part(row.poolPaidUstx ?? '0', ustx, BigInt(row.poolStackedUstx ?? '0')) : null,
        paidSat: null,
        earnedSat:
          row.poolSwappedSat !== null && row.poolSwappedForUstx !== null
            ? part(row.poolSwappedSat, ustx, BigInt(row.poolSwappedForUstx))
            : null,
        basis: isPaid ? 'share' : 'unknown',
        promisedYear: null,
        startDay: row.startDay,
        endDay: row.payoutDay,
      }
    }),
    ...(await directDrafts(
      reader,
      stackers.filter(({ cycle }) => cycle <= last && !pooled.has(cycle)),
    )),
    ...stakedByCycle(stakes, last).map(({ cycle, ustx, signer }): Draft => {
      const own = claims.filter(claim => Number(claim.cycle) === cycle && claim.bondIndex === null)
      return {
        ...claimed(own),
        cycle,
        way: 'stake',
        via: signer,
        stackedUstx: String(ustx),
        stackedSat: null,
        promisedYear: null,
      }
    }),
    ...bondedByCycle(bonds, last).map(({ cycle, bondIndex, sat, targetBps }): Draft => {
      const own = claims.filter(claim => Number(claim.cycle) === cycle && claim.bondIndex === bondIndex)
      return {
        ...claimed(own),
        cycle,
        way: 'bond',
        via: bondIndex,
        stackedUstx: null,
        stackedSat: String(sat),
        promisedYear: targetBps === null ? null : Number(targetBps) / 10_000,
      }
    }),
  ].sort((a, b) => b.cycle - a.cycle)
  const rows = await pricedRows(reader, drafts)
  const sum = (of: (row: YieldRow) => string | null) =>
    String(rows.reduce((total, row) => total + BigInt(of(row) ?? '0'), 0n))
  const isPaid = (row: YieldRow) => row.paidSat !== null || row.paidUstx !== null
  return {
    address,
    rows,
    totals: {
      paidUstx: sum(row => row.paidUstx),
      paidSat: sum(row => row.paidSat),
      paidUsd: rows.reduce((total, row) => total + (row.paidUsd ?? 0), 0),
      cycles: new Set(rows.map(({ cycle }) => cycle)).size,
      cyclesPaid: new Set(rows.filter(isPaid).map(({ cycle }) => cycle)).size,
      cyclesPriced: new Set(rows.filter(row => row.paidUsd !== null).map(({ cycle }) => cycle)).size,
    },
  }
}

/** Claims of one cycle together, priced on the day of the last. */
const claimed = (
  own: readonly { sat: string; day: string }[],
): Pick<Draft, 'paidSat' | 'paidUstx' | 'earnedSat' | 'basis' | 'paidDay'> => ({
  paidSat: own.length === 0 ? null : String(own.reduce((total, { sat }) => total + BigInt(sat), 0n)),
  paidUstx: null,
  earnedSat: null,
  basis: own.length === 0 ? 'unclaimed' : 'claims',
  paidDay: own.at(-1)?.day ?? null,
})

/** Cycles in which the address locked its own STX: what its PoX address was paid, by share where others name the same one. */
async function directDrafts(
  reader: Reader,
  stackers: Awaited<ReturnType<typeof readStackerRows>>,
): Promise<Draft[]> {
  const groups = [
    ...Map.groupBy(stackers, ({ kind, poxVersion, poxHash }) =>
      kind === 'solo' ? `${poxVersion}:${poxHash}` : '',
    ),
  ]
  const drafts = await Promise.all(
    groups.map(async ([key, rows]): Promise<Draft[]> => {
      const [{ poxVersion, poxHash }] = rows as [(typeof rows)[0] & object]
      const recipient =
        key === '' || poxHash === '' ? null : addressOf(poxScript(poxVersion, poxHash), 'mainnet')
      if (recipient === null)
        return rows.map(row => ({
          cycle: row.cycle,
          way: 'delegated',
          via: row.delegateTo,
          stackedUstx: row.amountUstx,
          stackedSat: null,
          paidUstx: null,
          paidSat: null,
          earnedSat: null,
          basis: 'unknown',
          promisedYear: null,
        }))
      const [paid, sharers] = await Promise.all([
        readDirectRows(reader, recipient),
        readSharers(reader, { poxVersion, poxHash }),
      ])
      return rows.map((row): Draft => {
        const found = paid.find(({ cycle }) => cycle === row.cycle)
        const all = BigInt(sharers.find(({ cycle }) => cycle === row.cycle)?.ustx ?? row.amountUstx)
        const own = BigInt(row.amountUstx)
        return {
          cycle: row.cycle,
          way: 'direct',
          via: recipient,
          stackedUstx: row.amountUstx,
          stackedSat: null,
          paidUstx: null,
          earnedSat: null,
          paidSat: found ? part(found.sat, own, all) : null,
          basis: found ? (own === all ? 'payouts' : 'shared_payouts') : 'unknown',
          promisedYear: null,
          paidUsd: found?.usd == null ? null : (found.usd * Number(own)) / Number(all),
        }
      })
    }),
  )
  return drafts.flat()
}
