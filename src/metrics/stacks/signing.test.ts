/** Signer participation would be wrong. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verify } from 'tiny-secp256k1'
import { openStacksCodec, parsePrintCatalogue } from '#chains/stacks/index.ts'
import { STACKS_TABLES } from '#explorer/index.ts'
import { readStacksBlock } from '#explorer/stacks/blocks.ts'
import { createStacksChain } from '#ingest/stacks/stacksChain.ts'
import { silentLog } from '#kernel/log.ts'
import { REWARD_CYCLES } from '#kernel/stacks.ts'
import { bytesOfHex, recordedMessages } from '#tests/recordedStacks.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import prints from '../../../catalog/stacks/prints.json' with { type: 'json' }
import { ask } from '../ask.ts'
import { openEmptyMetrics, type TestMetrics } from '../testing.ts'

/** Cycles of the recorded test network are 20 Bitcoin blocks long. */
const DEVNET_CYCLE = 20
/** The reward set of this one is left out; its signers were those of the cycles after it. */
const UNKNOWN_CYCLE = 6

type Signer = { readonly signing_key: string; readonly weight: number }
type Block = {
  block_height: number
  block_hash: string
  index_block_hash: string
  burn_block_height: number
  block_time: number
  signer_signature?: string[]
  cycle_number?: number | null
  reward_set?: { readonly signers?: readonly Signer[] } | null
}

/** The recorded blocks, at Bitcoin heights where the main network has the cycle that the test network had. */
function recordedBlocks(): Block[] {
  const blocks = new Map<string, Block>()
  for (const [path, message] of recordedMessages('devnet-nakamoto-with-signer-messages.tsv.gz')) {
    if (path !== '/new_block') continue
    const block = message as unknown as Block
    const cycle = Math.floor(block.burn_block_height / DEVNET_CYCLE)
    const place = block.burn_block_height % DEVNET_CYCLE
    const { firstHeight, lengthBlocks } = REWARD_CYCLES
    if (!blocks.has(block.index_block_hash))
      blocks.set(block.index_block_hash, {
        ...block,
        burn_block_height: firstHeight + cycle * lengthBlocks + place,
        // As where the archive begins after the block that fixed it.
        ...(block.cycle_number === UNKNOWN_CYCLE && { cycle_number: null, reward_set: null }),
      })
  }
  return [...blocks.values()]
}

const signersOfBlocks = new Map<Block, readonly Signer[]>()
/** Who signed by trying each signer of the network on each signature: another way than recovering keys. */
function signedBy(block: Block): readonly Signer[] {
  const known = signersOfBlocks.get(block)
  if (known !== undefined) return known
  const signatures = (block.signer_signature ?? []).map(signature => bytesOfHex(signature).subarray(1))
  const signers = setOf(UNKNOWN_CYCLE + 1).filter(({ signing_key }) =>
    signatures.some(signature => verify(bytesOfHex(block.block_hash), bytesOfHex(signing_key), signature)),
  )
  signersOfBlocks.set(block, signers)
  return signers
}

let site: TestMetrics
const blocks = skipWithoutShared.skip ? [] : recordedBlocks()
before(async () => {
  site = await openEmptyMetrics()
  if (skipWithoutShared.skip) return
  const chain = createStacksChain({
    warehouse: site.warehouse,
    codec: openStacksCodec(),
    prints: parsePrintCatalogue(prints),
    log: silentLog,
    now: () => 1_900_000_000_000,
  })
  await chain.recover()
  await chain.apply(
    blocks.map(block => ({ path: '/new_block', json: JSON.stringify(block), receivedAtMs: null })),
    'archive',
  )
  await site.metrics.refreshRollups()
})
after(() => site[Symbol.asyncDispose]())

const cycleOf = (block: Block) =>
  Math.floor((block.burn_block_height - REWARD_CYCLES.firstHeight) / REWARD_CYCLES.lengthBlocks)
const setOf = (cycle: number): readonly Signer[] =>
  blocks.find(block => block.cycle_number === cycle)?.reward_set?.signers ?? []
const canonical = async (): Promise<Block[]> => {
  const rows = await ask<{ hash: string }>(
    site.warehouse.guest,
    "SELECT concat('0x', lower(hex(hash))) AS hash FROM stx_blocks WHERE is_nakamoto AND signer_signature_count > 0 ORDER BY height",
  )
  return rows.map(({ hash }) => blocks.find(block => block.index_block_hash === hash)!)
}

test('who signed each recorded block is who can have made its signatures', skipWithoutShared, async () => {
  const held = await canonical()
  assert.ok(held.length > 400, `${held.length} blocks`)
  const rows = await ask<{ height: number; key: string; weight: number | null }>(
    site.warehouse.guest,
    "SELECT height, concat('0x', lower(hex(signing_key))) AS key, weight FROM stx_block_signatures ORDER BY height, key",
  )
  const expected = held.flatMap(block => {
    const signers = signedBy(block)
    assert.equal(signers.length, block.signer_signature?.length, `block ${block.block_height}`)
    const isKnown = cycleOf(block) !== UNKNOWN_CYCLE
    return signers
      .map(({ signing_key, weight }) => ({
        height: block.block_height,
        key: `0x${signing_key.replace(/^0x/, '')}`,
        weight: isKnown ? weight : null,
      }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
  })
  assert.ok(expected.some(({ weight }) => weight === null) && expected.some(({ weight }) => weight === 1))
  assert.deepEqual(rows, expected)
})

test(
  'a block tells its signers with their weights, and who of its cycle did not sign',
  skipWithoutShared,
  async () => {
    const held = await canonical()
    const chosen = [0, 0.3, 0.6, 0.9].map(part => held[Math.floor(part * held.length)]!)
    const unknown = held.find(block => cycleOf(block) === UNKNOWN_CYCLE)!
    const keyOf = ({ signing_key }: Signer): string => signing_key.replace(/^0x/, '')
    for (const block of [...chosen, unknown]) {
      const { signers } = await readStacksBlock(site.warehouse.reader, String(block.block_height))
      assert.ok(signers !== null)
      const isSetHeld = cycleOf(block) !== UNKNOWN_CYCLE
      const [set, signed] = [setOf(cycleOf(block)), signedBy(block)]
      assert.deepEqual([signers.cycle, signers.isTold, signers.isSetHeld], [cycleOf(block), true, isSetHeld])
      assert.deepEqual(
        signers.signers
          .filter(({ hasSigned }) => hasSigned)
          .map(({ key }) => key)
          .sort(),
        signed.map(keyOf).sort(),
      )
      assert.equal(signers.signers.length, isSetHeld ? set.length : signed.length)
      const weightOf = (of: readonly Signer[]) => of.reduce((sum, { weight }) => sum + weight, 0)
      assert.equal(signers.weightShare, isSetHeld ? weightOf(signed) / weightOf(set) : null)
      if (isSetHeld) assert.ok(signers.weightShare! >= 0.7)
      for (const { key, weight } of signers.signers)
        assert.equal(weight, isSetHeld ? (set.find(signer => keyOf(signer) === key)?.weight ?? null) : null)
    }
  },
)

test('weight and participation of a day are those of its blocks, one by one', skipWithoutShared, async () => {
  const held = (await canonical()).filter(block => cycleOf(block) !== UNKNOWN_CYCLE)
  const days = Map.groupBy(held, ({ block_time }) => new Date(block_time * 1000).toISOString().slice(0, 10))
  const of = { entity: 'stacks' } as const
  const { points } = await site.metrics.series({ ...of, id: 'pox.signed_weight' })
  const { points: heads } = await site.metrics.series({ ...of, id: 'pox.signer_participation' })
  assert.deepEqual(
    points.map(({ day }) => day),
    [...days.keys()].sort(),
  )
  const isNear = (is: unknown, expected: number): void =>
    assert.ok(Math.abs(Number(is) - expected) < 1e-12, `${is}, ${expected}`)
  for (const [day, ofDay] of days) {
    const weightOf = (signers: readonly Signer[]) => signers.reduce((sum, { weight }) => sum + weight, 0)
    const signed = ofDay.reduce((sum, block) => sum + weightOf(signedBy(block)), 0)
    const all = ofDay.reduce((sum, block) => sum + weightOf(setOf(cycleOf(block))), 0)
    assert.ok(signed / all > 0.7, 'no block stands without 70 % of the weight')
    isNear(points.find(point => point.day === day)?.value, signed / all)
    const inAll = ofDay.reduce((sum, block) => sum + signedBy(block).length, 0)
    isNear(heads.find(point => point.day === day && point.key === 'all')?.value, inAll / (3 * ofDay.length))
    for (const { signing_key } of setOf(UNKNOWN_CYCLE + 1)) {
      const key = signing_key.replace(/^0x/, '')
      const blocks = ofDay.filter(block => signedBy(block).some(signer => signer.signing_key === signing_key))
      isNear(heads.find(point => point.day === day && point.key === key)?.value, blocks.length / ofDay.length)
    }
  }
})

test(
  'the tables of who signs count the same, and leave out weights of a set that is not held',
  skipWithoutShared,
  async () => {
    const held = await canonical()
    const newest = held.filter(block => cycleOf(block) === Math.max(...held.map(cycleOf)))
    const rows = await ask<{ signer: string; weight: number; signed: string; blocks: string }>(
      site.warehouse.guest,
      STACKS_TABLES['who-signs']!.sql,
    )
    assert.deepEqual(
      rows.map(({ signer, weight, signed, blocks }) => [signer, weight, Number(signed), Number(blocks)]),
      setOf(UNKNOWN_CYCLE + 1)
        .toSorted((a, b) => b.weight - a.weight)
        .map(({ signing_key, weight }) => [
          signing_key.replace(/^0x/, ''),
          weight,
          newest.filter(block => signedBy(block).some(signer => signer.signing_key === signing_key)).length,
          newest.length,
        ]),
    )
    const cycles = await ask<{ cycle: number; signers: string | null; weight: number | null }>(
      site.warehouse.guest,
      STACKS_TABLES.signing!.sql,
    )
    const unknown = cycles.find(({ cycle }) => cycle === UNKNOWN_CYCLE)
    assert.ok(unknown)
    assert.deepEqual([unknown.signers, unknown.weight], [null, null])
    assert.ok(
      cycles.filter(({ cycle }) => cycle !== UNKNOWN_CYCLE).every(({ weight }) => (weight ?? 0) > 0.7),
    )
  },
)
