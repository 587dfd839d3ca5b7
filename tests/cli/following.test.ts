/** The server would not recover when the Stacks API is unreachable at the start. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '#kernel/freePort.testing.ts'
import { until } from '#kernel/until.testing.ts'
import { skipWithoutShared } from '#tests/shared.ts'
import { openStacksServer } from '#tests/stacks/openStacksServer.ts'
import { recordedChain } from '#tests/stacks/recordedChain.ts'
import { runAssay, spawnAssay, temporaryHome } from './runAssay.ts'

const isBuilt = existsSync(fileURLToPath(new URL('../../build', import.meta.url)))
const skip = isBuilt ? skipWithoutShared.skip : 'the pages are not built'

type Chain = {
  chain: string
  isFollowing: boolean
  isWaiting: boolean
  halted: string | null
  tip: { height: number } | null
  sourceTip: number | null
  lagBlocks: number | null
  endpoints: { name: string; state: string; answers: number; lastFault: string }[]
}

test('start follows Stacks by itself, says what is not reachable, and goes on once it is', {
  skip,
}, async () => {
  const { blocks, burnBlocks } = recordedChain('devnet-nakamoto-with-signer-messages.tsv.gz')
  await using api = await openStacksServer({ blocks: blocks.filter(({ raw }) => raw !== null), burnBlocks })
  await using home = await temporaryHome()
  let isAway = true
  api.intercept = (_, response) => {
    if (isAway) response.destroy()
    return isAway
  }
  const port = await freePort()
  const env = {
    ASSAY_HOME: home.path,
    BITCOIN_NETWORK: 'regtest',
    LOG_LEVEL: 'error',
    PORT: String(port),
    STACKS_API_URL: api.url,
  }
  const child = spawnAssay(['start'], env)
  const ended = once(child, 'exit')
  try {
    const chainOnce = (condition: string, isSo: (chain: Chain) => boolean): Promise<Chain> => {
      const look = async (): Promise<Chain | undefined> => {
        assert.equal(child.exitCode, null)
        const answer = await fetch(`http://localhost:${port}/api/v1/status`).catch(() => undefined)
        const status = answer?.ok ? ((await answer.json()) as { chains: Chain[] }) : undefined
        const stacks = status?.chains.find(({ chain }) => chain === 'stacks')
        if (stacks !== undefined && isSo(stacks)) {
          // The page of the same is drawn too.
          assert.equal((await fetch(`http://localhost:${port}/status`)).status, 200)
          assert.equal(status?.chains.length, 8)
          return stacks
        }
        return undefined
      }
      return until(condition, look, { betweenMs: 100 })
    }
    const away = await chainOnce(
      'Stacks waits for its API',
      ({ isWaiting, endpoints }) => isWaiting && endpoints.length > 0,
    )
    assert.deepEqual([away.isFollowing, away.sourceTip, away.endpoints[0]?.state], [false, null, 'failing'])
    assert.match(away.halted ?? '', /dropped the connection/)
    isAway = false
    const back = await chainOnce(
      'Stacks is at its tip',
      ({ isFollowing, lagBlocks }) => isFollowing && lagBlocks === 0,
    )
    assert.deepEqual([back.tip?.height, back.sourceTip, back.halted], [505, 505, null])
    assert.equal(back.endpoints[0]?.state, 'healthy')
  } finally {
    child.kill('SIGTERM')
    await ended
  }
  const { out } = await runAssay(['status'], env)
  assert.match(out, /^ {2}sources {7}at 505, 0 blocks ahead \(0 s\)/m)
  assert.match(out, /^ {2}not synced {4}BITCOIN_RPC_URL or BITCOIN_REST_URL names a full node\.$/m)
})
