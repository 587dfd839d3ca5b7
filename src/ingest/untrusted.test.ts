/** A Bitcoin node that lies or is cut off would slip in wrong data. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRpcSource, readHeader } from '#chains/bitcoin/node/index.ts'
import { openChainServer } from '#chains/bitcoin/node/testing.ts'
import { until } from '#kernel/until.testing.ts'
import { open, rows, setUpIngest, warehouse } from './sharedIngest.testing.ts'
import { createRandom, genesisChain, growChain, hashAt, hiddenRows } from './testing.ts'

describe('a node that is not trusted', () => {
  setUpIngest()

  test('a node of another genesis block halts, whatever is allowed', async () => {
    const chain = growChain(genesisChain, 3, createRandom(1))
    await using server = await openChainServer({ network: 'regtest', chain: chain.blocks })
    using node = createRpcSource({ url: server.url, network: 'regtest' })
    await using ingest = await open('regtest', { node, allowDeepReorg: true })
    await ingest.backfill({})
    const other = Buffer.from(chain.blocks[0]!)
    other.writeUInt32LE(77, 76)
    server.chain = [other, ...growChain({ blocks: [other], unspent: [] }, 9, createRandom(2)).blocks.slice(1)]
    const outcome = await ingest.backfill({})
    assert.ok(outcome.type === 'halt' && outcome.reason === 'other_chain')
  })

  describe('a node that cannot be trusted', () => {
    const chain = growChain(genesisChain, 40, createRandom(12))

    async function follow(
      server: Awaited<ReturnType<typeof openChainServer>>,
      isMeant: (state: { state: string; sentence: string; heldTip: number | null }) => boolean,
    ) {
      using node = createRpcSource({
        url: server.url,
        network: 'regtest',
        user: 'u',
        password: 'p',
        limits: { idleMs: 400 },
      })
      await using ingest = await open('regtest', { node })
      const stop = new AbortController()
      const following = ingest.follow(stop.signal)
      const met = await until(
        `the state is as meant: ${isMeant}`,
        async () => {
          const { state } = await ingest.status()
          return state && isMeant(state) && state
        },
        { betweenMs: 0 },
      )
      stop.abort()
      await following
      return met
    }
    const isHeldWhole = async () =>
      assert.deepEqual(await rows('SELECT max(height) AS height, count() AS count FROM btc_blocks'), [
        { height: 40, count: 41 },
      ])

    const faults: Record<
      string,
      { sentence: RegExp; play: (server: Awaited<ReturnType<typeof openChainServer>>) => void }
    > = {
      stalls: {
        sentence: /did not answer getblock within/,
        play: server => {
          server.intercept = ({ what }) => what === 'getblock'
        },
      },
      'drops the connection': {
        sentence: /dropped the connection while answering getblock/,
        play: server => {
          server.intercept = ({ what }, response) => {
            if (what !== 'getblock') return false
            response.writeHead(200, { 'content-length': '100000' })
            response.write('[', () => response.destroy())
            return true
          }
        },
      },
      'answers 401': {
        sentence: /refused user and password \(401\)/,
        play: server => {
          server.intercept = (_, response) => {
            response.writeHead(401).end()
            return true
          }
        },
      },
      'lies about height': {
        sentence: /gave block [0-9a-f]{64} for height 1, which does not follow|offered for height/,
        play: server => {
          server.chain = [chain.blocks[0]!, ...chain.blocks.slice(5)]
        },
      },
      'gives another block than it named': {
        sentence: /gave block [0-9a-f]{64} where it had named/,
        play: server => {
          server.intercept = (ask, response) => {
            if (ask.what !== 'getblock') return false
            const hex = chain.blocks[7]!.toString('hex')
            const answers = Array.from({ length: ask.callCount }, (_, id) => ({
              result: hex,
              error: null,
              id,
            }))
            response.end(JSON.stringify(answers))
            return true
          }
        },
      },
      'gives a block cut short': {
        sentence: /Ingest is paused: .*at byte/,
        play: server => {
          server.chain = chain.blocks.with(9, chain.blocks[9]!.subarray(0, 150))
        },
      },
      'gives a block with a wrong merkle root': {
        sentence: /Ingest is paused: The transactions of block .* do not give its merkle root/,
        play: server => {
          const block = Buffer.from(chain.blocks[9]!)
          block.writeUInt8(block.readUInt8(140) ^ 1, 140)
          server.chain = chain.blocks.with(9, block)
        },
      },
      'gives a block that spends what no block made': {
        sentence: /Ingest is paused: Block .* spends [0-9a-f]{64}:\d+, which no block below it made/,
        play: server => {
          const foreign = { txid: Buffer.alloc(32, 7), vout: 3, valueSat: 50_000n, ripeHeight: 0 }
          server.chain = growChain(
            { blocks: genesisChain.blocks, unspent: [foreign] },
            20,
            createRandom(6),
          ).blocks
        },
      },
    }
    for (const [name, { sentence, play }] of Object.entries(faults))
      test(`one that ${name} is told as such, and nothing is lost`, async () => {
        await using server = await openChainServer({
          network: 'regtest',
          chain: chain.blocks,
          user: 'u',
          password: 'p',
        })
        play(server)
        const state = await follow(server, ({ sentence: said }) => sentence.test(said))
        assert.ok(['waiting', 'halted'].includes(state.state))
        assert.equal(await hiddenRows(warehouse), 0)
        server.intercept = undefined
        server.chain = chain.blocks
        await follow(server, ({ state, heldTip }) => state === 'following' && heldTip === 40)
        await isHeldWhole()
      })

    test('a lower tip takes nothing back', async () => {
      await using server = await openChainServer({
        network: 'regtest',
        chain: chain.blocks,
        user: 'u',
        password: 'p',
      })
      await follow(server, ({ heldTip }) => heldTip === 40)
      server.chain = chain.blocks.slice(0, 20)
      const state = await follow(server, ({ sentence }) => sentence !== '')
      assert.match(state.sentence, /is behind the indexed blocks\. Nothing is rolled back/)
      await isHeldWhole()
      assert.equal(hashAt(chain, 40), readHeader(chain.blocks[40]!).hash)
    })
  })
})
