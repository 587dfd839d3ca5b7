import process from 'node:process'
import { pointFromScalar } from 'tiny-secp256k1'
import { testCatalog } from '#catalog/testing.ts'
import { encodeAddress, type Hex } from '#chains/stacks/index.ts'
import {
  BITCOIN,
  FROM_HEIGHT,
  PEG_OPS,
  STACKS_AFTER,
  STACKS_BEFORE,
} from '#explorer/stacks/sbtc/madeSbtc.testing.ts'
import { silentLog } from '#kernel/log.ts'
import { REWARD_CYCLES } from '#kernel/stacks.ts'
import { ALEX_POOLS, alexPool } from '#metrics/dex/madeDex.testing.ts'
import { writeMadeChain } from '#metrics/madeChain.testing.ts'
import { hashOfName, type MadeStacksBlock, printOf, writeMadeStacks } from '#metrics/madeStacks.testing.ts'
import { writeMadeFigures } from '#metrics/market/testing.ts'
import type { Warehouse } from '#warehouse/index.ts'
import { btcLayerOps } from '#warehouse/tables/bitcoin.ts'
import { stxCalls } from '#warehouse/tables/stacks.ts'
import { readConfig } from '../../src/config.ts'
import { loadBundled, openRooms } from '../../src/main.ts'

/**
 * Puts the bundled snapshot and then what is made up into the home of a program that does not run yet: bundled blocks come
 * only where none are.
 */
export async function fillMade(home: string): Promise<void> {
  const catalog = await testCatalog()
  const env = { ...process.env, ASSAY_HOME: home, STACKS_API_URL: 'off', SOURCES: 'off' }
  await using rooms = await openRooms(readConfig(env, catalog.evm), catalog, silentLog)
  await loadBundled(rooms, () => {})
  await fillSbtc(rooms.warehouse)
  await fillPool(rooms.warehouse)
  await fillLoans(rooms.warehouse)
  await fillUsers(rooms.warehouse)
  await fillSignatures(rooms.warehouse)
}

/** Heights of each part lie where no block of the snapshot or of another part does. */
// The highest: what waits for its mint is looked for since the first block of the highest ones.
const SBTC = { batch: 900_001, above: 9_900_000 }
const POOL = { batch: 900_002, above: 4_000_000 }
const LOANS = { batch: 900_003, above: 9_500_000 }
const USERS = { batch: 900_004, above: 8_000_000 }
const SIGNED = { batch: 900_005, above: 9_200_000 }

/** A small sBTC in the days of PoX-5. */
async function fillSbtc(warehouse: Warehouse): Promise<void> {
  await writeMadeChain(warehouse, BITCOIN, SBTC.batch, FROM_HEIGHT)
  await warehouse.insertRows(
    btcLayerOps,
    PEG_OPS.map(op => ({ ...op, batch: SBTC.batch })),
  )
  const blocks = [...STACKS_BEFORE, ...STACKS_AFTER].map(block => ({
    ...block,
    height: block.height + SBTC.above,
  }))
  await writeMadeStacks(warehouse, blocks, SBTC.batch)
}

const DAYS = 40
const DAY_S = 86_400
const WHO = 'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B'

/** Forty days of autumn 2025 with a pool of WELSH on ALEX, two blocks a day: a price of STX is recorded on each. */
async function fillPool(warehouse: Warehouse): Promise<void> {
  const pool = alexPool()
  const startS = Date.UTC(2025, 8, 10) / 1000
  const eventsOf = (n: number) => {
    if (n === 0) return pool.add(WHO, 10n ** 14n, 5n * 10n ** 17n)
    // Every third day somebody buys WELSH, so that providers part from those who held.
    return n % 6 === 2 ? pool.swap(WHO, 'x', 20_000n * 10n ** 8n) : undefined
  }
  const blocks: MadeStacksBlock[] = Array.from({ length: 2 * DAYS }, (_, n) => {
    const events = eventsOf(n)
    return {
      height: POOL.above + n,
      timeS: startS + n * (DAY_S / 2) + 3600,
      burnHeight: 913_900 + 72 * n,
      txs: events === undefined ? [] : [{ name: `of the pool ${n}`, events }],
    }
  })
  await writeMadeStacks(warehouse, blocks, POOL.batch)
}

const BORROWER = 'SP35E2BBMDT2Y1HB0NTK139YBGYV3PAPK3WA8BRNA.borrower-v1'
const SBTC_TOKEN = "'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token"
const COIN = 100_000_000n

/** Three loans of 20,000, 40,000 and 55,000 dollars on Granite, each against a bitcoin of which four fifths may be owed. */
async function fillLoans(warehouse: Warehouse): Promise<void> {
  const read = { source: 'stacks.reads', day: '2026-08-13', entity: 'granite' } as const
  await writeMadeFigures(warehouse, [
    { ...read, metric: 'lend.liquidation_ltv', key: 'aeUSDC sBTC', value: 0.8 },
    { ...read, metric: 'lend.debt_share_price', key: 'aeUSDC', value: 1 },
  ])
  const events = [20_000n, 40_000n, 55_000n].flatMap((usd, n) => {
    const user = `'${encodeAddress(22, Buffer.alloc(20, n + 1))}`
    const shares = usd * 1_000_000n
    return [
      printOf(BORROWER, {
        action: 'add-collateral',
        collateral: SBTC_TOKEN,
        'amount-deposited': COIN,
        'user-balance': COIN,
        user,
      }),
      printOf(BORROWER, {
        action: 'borrow',
        assets: shares,
        'total-user-debt-shares': shares,
        'new-debt-shares': shares,
        user,
      }),
    ]
  })
  const block = {
    height: LOANS.above,
    timeS: Date.UTC(2026, 7, 13, 1) / 1000,
    burnHeight: FROM_HEIGHT + 900,
    txs: [{ name: 'loans', events }],
  }
  await writeMadeStacks(warehouse, [block], LOANS.batch)
}

const WEEKS = 30
const USERS_A_WEEK = 6
const FUNCTIONS = ['swap-helper', 'swap-helper-a', 'add-to-position', 'reduce-position']

/** Thirty weeks of callers of ALEX, a block a week: six come anew in each and return the less, the longer ago they came. */
async function fillUsers(warehouse: Warehouse): Promise<void> {
  const startS = Date.UTC(2026, 0, 7, 12) / 1000
  const blocks: MadeStacksBlock[] = Array.from({ length: WEEKS }, (_, week) => ({
    height: USERS.above + week,
    timeS: startS + week * 7 * DAY_S,
    burnHeight: 931_000 + 1008 * week,
  }))
  await writeMadeStacks(warehouse, blocks, USERS.batch)
  const calls = blocks.flatMap(({ height, timeS }, week) =>
    Array.from({ length: (week + 1) * USERS_A_WEEK }, (_, who) => who)
      .filter(who => {
        const age = week - Math.floor(who / USERS_A_WEEK)
        return age === 0 || (who * 7 + week * 5) % (2 + age) === 0
      })
      .map((who, txIndex) => ({
        batch: USERS.batch,
        height,
        blockTime: timeS,
        txIndex,
        txid: Buffer.from(hashOfName(`call ${week} ${who}`).slice(2), 'hex'),
        sender: encodeAddress(22, Buffer.alloc(20, who + 1)),
        contract: ALEX_POOLS,
        functionName: FUNCTIONS[(who + week) % FUNCTIONS.length] ?? '',
        isSuccess: (who + week) % 11 !== 0,
        argCount: 4,
        resultRepr: '(ok true)',
      })),
  )
  await warehouse.insertRows(stxCalls, calls)
}

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`

const SIGNERS = 9
const SIGNED_BLOCKS = 40

/** Forty blocks of the first day of PoX-5, with the signatures of nine signers: the first signs all, each other misses some. */
async function fillSignatures(warehouse: Warehouse): Promise<void> {
  const keys = Array.from({ length: SIGNERS }, (_, n) => Buffer.alloc(32, n + 1))
  const { firstHeight, lengthBlocks } = REWARD_CYCLES
  const burnHeight = FROM_HEIGHT + 84
  const signers = keys.map((key, n) => ({
    signingKey: hexOf(pointFromScalar(key, true)!),
    weight: 700 - 70 * n,
    stackedUstx: BigInt(700 - 70 * n) * 100_000_000_000n,
  }))
  const blocks: MadeStacksBlock[] = Array.from({ length: SIGNED_BLOCKS }, (_, n) => ({
    height: SIGNED.above + n,
    timeS: Date.UTC(2026, 7, 12, 14) / 1000 + 60 * n,
    burnHeight,
    signedBy: keys.filter((_, signer) => signer === 0 || (n + signer) % (SIGNERS + 2 - signer) !== 0),
    ...(n === 0 && {
      cycle: {
        number: Math.floor((burnHeight - firstHeight) / lengthBlocks),
        set: {
          addresses: [],
          signers,
          thresholdUstx: 100_000_000_000n,
          startCycleState: 'null',
          unknown: [],
        },
      },
    }),
  }))
  await writeMadeStacks(warehouse, blocks, SIGNED.batch)
}
