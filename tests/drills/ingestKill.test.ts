import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
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
import { openTestWarehouse } from '#warehouse/testing.ts'

const KILLS = process.env.ASSAY_DRILL === '1' ? 100 : 5
const BLOCKS_A_ROUND = 60

test(`killed ${KILLS} times at any point, ingest loses nothing and doubles nothing`, {
  timeout: 1_800_000,
}, async t => {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31))
  t.diagnostic(`SEED=${seed}`)
  const random = createRandom(seed)
  const home = await mkdtemp(join(tmpdir(), 'assay-kill-'))
  let chain = growChain(genesisChain, 130, random, 3)
  await using server = await openChainServer({ network: 'regtest', chain: chain.blocks })
  const killedAt: string[] = []
  let ended = 0
  while (killedAt.length < KILLS) {
    chain = nextChain(chain, random)
    server.chain = chain.blocks
    const moment = await killOne(home, server, random)
    if (moment !== undefined) killedAt.push(moment)
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

/**
 * Starts an ingest and kills it, and half the times its engine too, at a random moment of its work. Returns that moment;
 * undefined where the work was over before.
 */
async function killOne(home: string, server: ChainServer, random: () => number): Promise<string | undefined> {
  const child = startChild(home, server)
  const exited = once(child, 'exit')
  const withEngine = random() < 0.5
  const steps = Math.floor(random() * 6)
  const delayMs = random() * 60
  let seen = 0
  const isDue = new Promise<void>(resolve => {
    child.on('message', () => {
      if (seen++ === steps) resolve()
    })
  })
  await Promise.race([isDue, exited])
  // Somewhere between two commits.
  await new Promise(resolve => setTimeout(resolve, delayMs))
  if (child.exitCode !== null) {
    assert.equal(child.exitCode, 0, 'what is not killed ends by itself')
    return undefined
  }
  child.kill('SIGKILL')
  if (withEngine) await killEngine(home)
  await exited
  return `${withEngine ? 'with its engine ' : ''}${delayMs.toFixed(0)} ms after step ${seen}`
}

async function killEngine(home: string): Promise<void> {
  const endpoint = await readFile(join(home, 'warehouse', 'endpoint.json'), 'utf8').catch(() => undefined)
  if (endpoint === undefined) return
  const { pid } = JSON.parse(endpoint) as { pid: number }
  // An engine that has ended by itself may have left its number to another process.
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  if (command.includes('warehouse/engine')) process.kill(pid, 'SIGKILL')
}
