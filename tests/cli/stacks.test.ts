/** An operator could not index Stacks from an archive or a node. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort } from '#kernel/freePort.testing.ts'
import { until } from '#kernel/until.testing.ts'
import { recordedMessages } from '#tests/recordedStacks.ts'
import { shared, skipWithoutShared } from '#tests/shared.ts'
import { openStacksServer } from '#tests/stacks/openStacksServer.ts'
import { recordedChain } from '#tests/stacks/recordedChain.ts'
import { runAssay, spawnAssay, temporaryHome } from './runAssay.ts'

test('an archive of a Stacks node is filled in, verified and shown', skipWithoutShared, async () => {
  await using home = await temporaryHome()
  const env = { ASSAY_HOME: home.path, LOG_LEVEL: 'error' }
  const archive = shared('data/stacks/events/regtest-epoch-3-transition.tsv.gz')
  const filled = await runAssay(['backfill', '--chain', 'stacks', '--from-archive', archive], env)
  assert.equal(filled.code, 0, filled.err)
  assert.match(filled.out, /^238 messages to line 238: 51 blocks, \d+ rows$/m)
  const again = await runAssay(['backfill', '--chain', 'stacks', '--from-archive', archive], env)
  assert.match(again.out, /^238 messages to line 238: 0 blocks, 0 rows$/m)
  const verified = await runAssay(['verify', '--chain', 'stacks'], env)
  assert.deepEqual([verified.code, verified.out], [0, '51 blocks checked, 0 differences\n'])
  const status = await runAssay(['status'], env)
  assert.match(status.out, /^stacks \(testnet\)\n {2}latest block {2}50 of 2024-03-13T/m)
  assert.match(status.out, /^ {2}indexed {7}0 to 50$/m)
  assert.match(status.out, /^ {2}bitcoin {7}136\n {2}unknown {7}0 parts of blocks, 0 messages, stored raw$/m)
  const broken = join(home.path, 'broken.tsv')
  await writeFile(broken, '1\t2024-03-13 15:34:10+00\t/new_block\t{}\n2\tno line\n')
  const refused = await runAssay(['backfill', '--chain', 'stacks', '--from-archive', broken], env)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /broken\.tsv, line 2: a line has four columns/)
})

test('calls of Stacks that lack something say what', async () => {
  await using home = await temporaryHome()
  const env = { ASSAY_HOME: home.path, LOG_LEVEL: 'error', STACKS_API_URL: 'off' }
  const noArchive = await runAssay(['backfill', '--chain', 'stacks'], env)
  assert.equal(noArchive.code, 2)
  assert.match(noArchive.err, /Set heights \(--from, --to\).*, or an event archive with --from-archive/)
  const noSource = await runAssay(['backfill', '--chain', 'stacks', '--from', '1'], env)
  assert.equal(noSource.code, 2)
  assert.match(noSource.err, /Set STACKS_RPC_URL to a node, or STACKS_API_URL/)
  const noFile = await runAssay(
    ['backfill', '--chain', 'stacks', '--from-archive', join(home.path, 'none')],
    env,
  )
  assert.equal(noFile.code, 2)
  assert.match(noFile.err, /none does not exist/)
  const noPort = await runAssay(['ingest', '--chain', 'stacks'], env)
  assert.equal(noPort.code, 2)
  assert.match(noPort.err, /Set STACKS_API_URL or STACKS_RPC_URL; or set STACKS_OBSERVER_PORT/)
  const noChain = await runAssay(['ingest', '--chain', 'dogecoin'], env)
  assert.equal(noChain.code, 2)
})

test('a Stacks node posts its events, and a stop loses none of them', skipWithoutShared, async () => {
  await using home = await temporaryHome()
  const port = await freePort()
  const env = { ASSAY_HOME: home.path, LOG_LEVEL: 'info', STACKS_OBSERVER_PORT: String(port) }
  const messages = [...recordedMessages('mainnet-block0.tsv.gz')]
  const child = spawnAssay(['ingest', '--chain', 'stacks'], env)
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error(said)))
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', text => {
        said += text
        if (said.includes('are received at')) resolve()
      })
  })
  for (const [path, message] of messages) {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
    })
    assert.equal(answer.status, 200)
  }
  child.kill('SIGKILL')
  await once(child, 'close')
  // What was not taken in waits on disk, and the next process takes it in.
  const next = spawnAssay(['ingest', '--chain', 'stacks'], env)
  await until('the inbox is empty', async () => {
    assert.equal(next.exitCode, null)
    return (await readdir(join(home.path, 'stacks-inbox')).catch(() => ['?'])).length === 0
  })
  next.kill('SIGTERM')
  const [code] = await once(next, 'close')
  assert.equal(code, 0)
  const status = await runAssay(['status'], env)
  assert.match(status.out, /indexed {7}0 to 2$/m)
})

test(
  'heights of Stacks are filled in from an API and compared with a node; a difference is printed',
  skipWithoutShared,
  async () => {
    const { blocks, burnBlocks } = recordedChain('devnet-nakamoto-with-signer-messages.tsv.gz')
    const withBytes = blocks.filter(({ raw }) => raw !== null)
    await using server = await openStacksServer({ blocks: withBytes, burnBlocks })
    await using liar = await openStacksServer({ blocks: withBytes, burnBlocks })
    await using home = await temporaryHome()
    const env = {
      ASSAY_HOME: home.path,
      LOG_LEVEL: 'error',
      BITCOIN_NETWORK: 'regtest',
      STACKS_API_URL: server.url,
    }
    const filled = await runAssay(['backfill', '--chain', 'stacks', '--from', '440', '--to', '500'], env)
    assert.equal(filled.code, 0, filled.err)
    assert.match(filled.out, /^blocks 440 to 500: 61 blocks, \d+ rows$/m)
    const verify = (...more: string[]) => runAssay(['verify', '--chain', 'stacks', ...more], env)
    const same = await verify('--against-node', '--samples', '61')
    assert.deepEqual(
      [same.code, same.out],
      [0, '61 blocks checked, 61 compared with the source, 0 differences\n'],
    )
    liar.speaks.api = false
    const byNode = await verify('--source', liar.url, '--samples', '10')
    assert.match(byNode.out, /^61 blocks checked, 1[01] compared with the source, 0 differences\n$/)
    liar.speaks.api = true
    liar.rewrite = (path, json) => {
      if (!path.startsWith('/extended/v1/tx/multiple')) return json
      const answer = json as Record<
        string,
        {
          result: {
            execution_cost_runtime: number
            events: { event_index: number; asset?: { amount: string } }[]
          }
        }
      >
      for (const { result } of Object.values(answer)) {
        result.execution_cost_runtime += 1
        for (const { asset } of result.events) if (asset) asset.amount = '7'
      }
      return answer
    }
    const differing = await verify('--source', liar.url, '--samples', '61')
    assert.equal(differing.code, 1)
    assert.match(differing.out, /^block \d+: running time of 0x[0-9a-f]{64}: indexed \d+, expected \d+$/m)
    assert.match(
      differing.out,
      /^block \d+: event \d+: indexed 0x[0-9a-f]{64} stx transfer {2}S\w+ S\w+ 1000, expected .* 7$/m,
    )
  },
)
