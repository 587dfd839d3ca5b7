/** A killed ingest of an EVM layer would lose or double data. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { verifyEvm } from '#ingest/evm/index.ts'
import { createRandom, digestOf, hiddenRows } from '#ingest/testing.ts'
import { seedOf } from '#kernel/seed.testing.ts'
import { type MadeLayer, openMadeLayer } from '#tests/evm/madeLayer.ts'
import { skipWithoutAnvil } from '#tests/evm/openAnvil.ts'
import { EVM } from '#warehouse/index.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { killOne } from './killOne.ts'

const KILLS = process.env.ASSAY_DRILL === '1' ? 100 : 5
const BLOCKS_A_ROUND = 40
const CHAIN_ID = 60_808

test(`killed ${KILLS} times at any point while its chain forks, ingest of a layer loses nothing and doubles nothing`, {
  timeout: 3_600_000,
  ...skipWithoutAnvil,
}, async t => {
  const seed = seedOf(t)
  const random = createRandom(seed)
  const home = await mkdtemp(join(tmpdir(), 'assay-evm-kill-'))
  const cleanHome = await mkdtemp(join(tmpdir(), 'assay-evm-clean-'))
  await using layer = await openMadeLayer({ chainId: CHAIN_ID })
  // Beyond the depth of reorgs, so that batches of many blocks are made and merged too.
  await layer.anvil.mine(220)
  const killedAt: string[] = []
  let ended = 0
  while (killedAt.length < KILLS) {
    await changeChain(layer, random)
    const kill = await killOne(startChild(home, layer), home, random)
    if (kill !== undefined) killedAt.push(kill.moment)
    else if (++ended > 3 * KILLS) assert.fail(`${ended} runs had ended before they were killed`)
  }
  t.diagnostic(`killed ${killedAt.join(', ')}; ${ended} more runs had ended before`)
  for (const folder of [home, cleanHome]) {
    const [code] = await once(startChild(folder, layer), 'exit')
    assert.equal(code, 0, 'a run that is not killed ends by itself')
  }

  await using warehouse = await openTestWarehouse({ home })
  await using clean = await openTestWarehouse({ home: cleanHome })
  assert.deepEqual(await digestOf(warehouse, EVM), await digestOf(clean, EVM))
  assert.equal(await hiddenRows(warehouse, EVM), 0)
  assert.deepEqual((await verifyEvm({ warehouse, of: { family: EVM, chain: 'bob' } })).differences, [])
  await warehouse[Symbol.asyncDispose]()
  await clean[Symbol.asyncDispose]()
  for (const folder of [home, cleanHome]) await rm(folder, { recursive: true, force: true })
})

/** More blocks, every third time on a branch that forks up to thirty blocks below the tip. */
async function changeChain(layer: MadeLayer, random: () => number): Promise<void> {
  if (random() < 1 / 3) await layer.reorg(1 + Math.floor(random() * 30))
  await layer.grow(BLOCKS_A_ROUND, random)
}

const startChild = (home: string, { anvil }: MadeLayer): ChildProcess =>
  fork(fileURLToPath(new URL('./evmChild.ts', import.meta.url)), [home, anvil.url, String(CHAIN_ID)], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
