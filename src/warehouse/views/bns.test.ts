/** Names of Stacks would show the wrong owner. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  decideStacks,
  type MadeStacksBlock,
  moved,
  printOf,
  writeMadeStacks,
} from '#metrics/madeStacks.testing.ts'
import { stxCallArgs, stxCalls } from '../tables/stacks.ts'
import { openTestWarehouse } from '../testing.ts'

const [ANNA, BEN, MARKET] = [
  'SP2J6ZY48GV1EZ5V2V5RB9MP66SW86PYKKNRV9EJ7',
  'SP2JXKMSH007NPYAQHKJPQMAQYAD90NQGTVJVQ02B',
  'SP3D6PV2ACBPEKYJTCMH7HEN02KP87QSP8KTEH335.market',
] as const
const BNS = 'SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF.BNS-V2'
const ASSET = `${BNS}::BNS-V2`
const FIRST = 'SP000000000000000000002Q6VF78.bns'
const hex = (text: string) => `0x${Buffer.from(text, 'utf8').toString('hex')}`
const fqn = (name: string) => ({ name: hex(name), namespace: hex('btc') })

const made = (id: bigint, name: string, owner: string) => [
  moved({ asset: ASSET, to: owner, token: id }),
  printOf(BNS, { topic: 'new-name', owner: `'${owner}`, name: fqn(name), id, properties: null }),
]
const block = (height: number, ...txs: NonNullable<MadeStacksBlock['txs']>): MadeStacksBlock => ({
  height,
  timeS: 1_800_000_000 + height,
  burnHeight: 900_000 + height,
  txs,
})

/** Anna has one name of the first BNS and two of the second; Ben gets one of them, and a name that nobody may be shown. */
const BEFORE: MadeStacksBlock[] = [
  block(1, { name: 'old', events: [moved({ asset: `${FIRST}::names`, to: ANNA, token: fqn('old') })] }),
  block(2, { name: 'one', events: made(1n, 'anna', ANNA) }, { name: 'two', events: made(2n, 'zoe', ANNA) }),
  block(3, { name: 'bad', events: made(3n, '\u202ebtc', BEN) }),
]
const AFTER: MadeStacksBlock[] = [
  block(4, { name: 'sold', events: [moved({ asset: ASSET, from: ANNA, to: BEN, token: 1n })] }),
  block(5, { name: 'listed', events: [moved({ asset: ASSET, from: BEN, to: MARKET, token: 1n })] }),
]

let warehouse: Awaited<ReturnType<typeof openTestWarehouse>>
const names = async () =>
  (
    await warehouse.guest.query({
      query: 'SELECT name, owner, version, is_primary FROM stx_names ORDER BY name',
      format: 'JSONEachRow',
    })
  ).json<{ name: string; owner: string; version: number; is_primary: boolean }>()

before(async () => {
  warehouse = await openTestWarehouse()
  await writeMadeStacks(warehouse, BEFORE)
})
after(() => warehouse[Symbol.asyncDispose]())

const AT_FIRST = [
  { name: 'anna.btc', owner: ANNA, version: 2, is_primary: true },
  { name: 'old.btc', owner: ANNA, version: 1, is_primary: false },
  { name: 'zoe.btc', owner: ANNA, version: 2, is_primary: false },
]

test('names belong to who has their token, and bytes that are no name are not shown', async () => {
  assert.deepEqual(await names(), AT_FIRST)
})

test('a name goes with its token, and a reorg brings it back', async () => {
  await writeMadeStacks(warehouse, AFTER, 2)
  assert.deepEqual(await names(), [
    { name: 'anna.btc', owner: MARKET, version: 2, is_primary: true },
    { name: 'old.btc', owner: ANNA, version: 1, is_primary: false },
    { name: 'zoe.btc', owner: ANNA, version: 2, is_primary: true },
  ])
  await decideStacks(warehouse, 2, false, AFTER)
  assert.deepEqual(await names(), AT_FIRST)
})

test('the name that its owner chose stands first', async () => {
  const place = { batch: 1, height: 3, blockTime: 1_800_000_003, txIndex: 5, txid: new Uint8Array(32) }
  const call = { ...place, contract: BNS, functionName: 'set-primary-name' }
  await warehouse.insertRows(stxCalls, [
    { ...call, sender: ANNA, isSuccess: true, argCount: 1, resultRepr: '(ok true)' },
  ])
  await warehouse.insertRows(stxCallArgs, [
    { ...call, argIndex: 0, leafIndex: 0, path: '', type: 'uint', uintValue: 2n, textValue: '', repr: 'u2' },
  ])
  assert.deepEqual(
    (await names()).filter(({ is_primary }) => is_primary).map(({ name }) => name),
    ['zoe.btc'],
  )
})
