/** A killed Bitcoin ingest would lose or double data. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openBitcoinCodec } from '#chains/bitcoin/index.ts'
import { createRpcSource } from '#chains/bitcoin/node/index.ts'
import { type ChainServer, openChainServer } from '#chains/bitcoin/node/testing.ts'
import { openIngest } from '#ingest/index.ts'
import {
  createRandom,
  digestOf,
  genesisChain,
  growChain,
  hiddenRows,
  type MadeChain,
} from '#ingest/testing.ts'
import { silentLog } from '#kernel/log.ts'
import { seedOf } from '#kernel/seed.testing.ts'
import { openTestWarehouse } from '#warehouse/testing.ts'
import { killOne } from './killOne.ts'

const KILLS = process.env.ASSAY_DRILL === '1' ? 100 : 5
const BLOCKS_A_ROUND = 60

test(`killed ${KILLS} times at any point, ingest loses nothing and doubles nothing`, {
  timeout: 1_800_000,
}, async t => {
  const seed = seedOf(t)
  const random = createRandom(seed)
  const home = await mkdtemp(join(tmpdir(), 'assay-kill-'))
  let chain = growChain(genesisChain, 130, random, 3)
  await using server = await openChainServer({ network: 'regtest', chain: chain.blocks })
  const killedAt: string[] = []
  let ended = 0
  while (killedAt.length < KILLS) {
    chain = nextChain(chain, random)
    server.chain = chain.blocks
    const kill = await killOne(startChild(home, server), home, random)
    if (kill !== undefined) killedAt.push(kill.moment)
    else if (++ended > 3 * KILLS) assert.fail(`${ended} runs had ended before they were killed`)
  }
  t.diagnostic(`killed ${killedAt.join(', ')}; ${ended} more runs had ended before`)
  const last = startChild(home, server)
  const [code] = await once(last, 'exit')
  assert.equal(code, 0, 'the last run ends by itself')

  await using warehouse = await openTestWarehouse({ home })
  await using clean = await openTestWarehouse()
  using node = createRpcSource({ url: server.url, network: 'regtest' })
  const codec = openBitcoinCodec({ network: 'regtest' })
  await using ingest = await openIngest({
    warehouse: clean,
    codec,
    home: clean.home,
    network: 'regtest',
    log: silentLog,
    node,
    threads: 0,
  })
  await ingest.backfill({})
  assert.deepEqual(await digestOf(warehouse), await digestOf(clean))
  assert.equal(await hiddenRows(warehouse), 0)
  await warehouse[Symbol.asyncDispose]()
  await rm(home, { recursive: true, force: true })
})

/** More blocks, every third time on a branch that forks up to twenty blocks below the tip. */
function nextChain(chain: MadeChain, random: () => number): MadeChain {
  if (random() > 1 / 3) return growChain(chain, BLOCKS_A_ROUND, random, 2)
  const depth = 1 + Math.floor(random() * 20)
  // What the branch may spend is not known here: it spends nothing of before.
  const trunk = { blocks: chain.blocks.slice(0, chain.blocks.length - depth), unspent: [] }
  return growChain(trunk, depth + BLOCKS_A_ROUND, random, 0)
}

function startChild(home: string, server: ChainServer): ChildProcess {
  return fork(fileURLToPath(new URL('./ingestChild.ts', import.meta.url)), [home, server.url], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}
