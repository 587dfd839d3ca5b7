import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { openStacksCodec } from '#chains/stacks/index.ts'
import { apiBlockOf, apiTxOf, blockTxids, burnRewards, cyclesOf, signersOf, slotHolders } from './apiForms.ts'
import { bytesOfBlock, type NewBurnBlock, type RecordedBlock } from './recordedChain.ts'

/** What a server speaks: a node's RPC, the public API, and whether the API passes blocks of its node on. */
export type Speaks = { node: boolean; api: boolean; rawBlocks: boolean; newTxList: boolean }

/** Speaks as a Stacks node and as the public API do, over recorded blocks. */
export type StacksServer = AsyncDisposable & {
  readonly url: string
  /** Paths that were asked for, in order. */
  readonly requests: string[]
  readonly speaks: Speaks
  /** Chain id. */
  networkId: number
  /** Answers in its place, or returns false to let it answer. */
  intercept: ((path: string, response: ServerResponse) => boolean) | undefined
  /** Changes an answer in JSON: what an endpoint that lies does. */
  rewrite: ((path: string, json: unknown) => unknown) | undefined
  /** Changes an answer in bytes. */
  rewriteBytes: ((path: string, bytes: Buffer) => Buffer) | undefined
  /** Blocks that it knows besides, of another branch. */
  learn(blocks: readonly RecordedBlock[]): void
  /** The chain from now on: the ancestors of this block. */
  setTip(id: string): void
}

const DEVNET = 2147483648

export async function openStacksServer({
  blocks,
  burnBlocks,
}: {
  readonly blocks: readonly RecordedBlock[]
  readonly burnBlocks: readonly NewBurnBlock[]
}): Promise<StacksServer> {
  const codec = openStacksCodec()
  const known = new Map<string, RecordedBlock>()
  let canonical: RecordedBlock[] = []
  const sockets = new Set<Socket>()
  const http = createServer((request, response) => answer(request, response))
  http.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')

  const server: StacksServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests: [],
    speaks: { node: true, api: true, rawBlocks: true, newTxList: true },
    networkId: DEVNET,
    intercept: undefined,
    rewrite: undefined,
    rewriteBytes: undefined,
    learn(more) {
      for (const block of more) known.set(block.message.index_block_hash, block)
    },
    setTip(id) {
      canonical = []
      for (let at = known.get(id); at !== undefined; at = known.get(at.message.parent_index_block_hash))
        canonical.unshift(at)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      http.close()
      await once(http, 'close')
    },
  }
  server.learn(blocks)
  server.setTip(blocks.at(-1)!.message.index_block_hash)

  const heightOf = ({ message }: RecordedBlock): number => message.block_height
  const byId = (id: string): RecordedBlock | undefined => known.get(id.startsWith('0x') ? id : `0x${id}`)
  const canonicalAt = (at: string): RecordedBlock | undefined =>
    /^\d+$/.test(at)
      ? canonical.find(block => heightOf(block) === Number(at))
      : canonical.find(({ message }) => message.index_block_hash === at)
  const consensusOf = ({ raw, old }: RecordedBlock): string =>
    raw?.header.consensusHash ?? old?.consensusHash ?? '00'.repeat(20)

  function answer(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/'
    server.requests.push(path)
    if (server.intercept?.(path, response)) return
    const url = new URL(path, server.url)
    const found = reply(url)
    if (found === null) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}')
      return
    }
    if (Buffer.isBuffer(found)) {
      const bytes = server.rewriteBytes?.(path, found) ?? found
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes)
      return
    }
    const json = server.rewrite === undefined ? found : server.rewrite(path, structuredClone(found))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(json))
  }

  function reply(url: URL): unknown {
    const { pathname } = url
    if (pathname === '/v2/info') return info()
    if (/^\/(v2|v3)\//.test(pathname)) {
      const isBlock = /^\/v[23]\/(blocks|sortitions)\//.test(pathname)
      if (!server.speaks.node && !(isBlock && server.speaks.rawBlocks)) return null
      return nodeReply(pathname)
    }
    return server.speaks.api ? apiReply(url) : null
  }

  function info(): unknown {
    const tip = canonical.at(-1)!
    return {
      peer_version: 402653189,
      burn_block_height: tip.message.burn_block_height,
      server_version: 'stacks-node 3.1',
      network_id: server.networkId,
      parent_network_id: 3669344250,
      stacks_tip_height: heightOf(tip),
      stacks_tip: tip.message.block_hash.slice(2),
      stacks_tip_consensus_hash: consensusOf(tip),
      tenure_height: tip.message.tenure_height,
      is_fully_synced: true,
    }
  }

  /** Source: stacks-core `stackslib/src/net/api`. */
  function nodeReply(pathname: string): unknown {
    const [, , what = '', first = '', second = ''] = pathname.split('/')
    if (what === 'blocks') {
      const block = first === 'height' ? canonicalAt(second) : byId(first)
      if (pathname.startsWith('/v2')) return block?.old?.bytes ?? null
      return block?.raw == null ? null : bytesOfBlock(block.raw)
    }
    if (what === 'tenures')
      return tenure(first === 'blocks' && second !== 'height' ? second : pathname.split('/')[5]!)
    if (what === 'sortitions') {
      const found = known
        .values()
        .find(block =>
          first === 'consensus'
            ? consensusOf(block) === second
            : first === 'burn'
              ? block.message.burn_block_hash === `0x${second}`
              : canonical.includes(block) && block.message.burn_block_height === Number(second),
        )
      return found === undefined ? null : [sortition(found)]
    }
    if (what === 'stacker_set') {
      const fixed = canonical.find(({ message }) => message.cycle_number === Number(first))
      return fixed === undefined ? null : { stacker_set: fixed.message.reward_set }
    }
    return null
  }

  const sortition = (block: RecordedBlock) => ({
    burn_block_hash: block.message.burn_block_hash,
    burn_block_height: block.message.burn_block_height,
    burn_header_timestamp: block.message.burn_block_time,
    sortition_id: block.message.burn_block_hash,
    parent_sortition_id: block.message.burn_block_hash,
    consensus_hash: `0x${consensusOf(block)}`,
    was_sortition: true,
    miner_pk_hash160: null,
    stacks_parent_ch: null,
    last_sortition_ch: null,
    committed_block_hash: null,
  })

  function tenure(at: string): unknown {
    const of = canonical.filter(block =>
      at.length === 40 ? consensusOf(block) === at : block.message.burn_block_height === Number(at),
    )
    const [lowest] = of
    if (lowest === undefined) return null
    return {
      consensus_hash: consensusOf(lowest),
      last_sortition_ch: consensusOf(lowest),
      burn_block_height: lowest.message.burn_block_height,
      burn_block_hash: lowest.message.burn_block_hash.slice(2),
      stacks_blocks: of
        .map(({ message, raw }) => ({
          block_id: message.index_block_hash.slice(2),
          header_type: raw === null ? 'epoch2' : 'nakamoto',
          block_hash: message.block_hash.slice(2),
          // Of older blocks a node puts the consensus hash of the block itself together with the hash of its parent.
          parent_block_id: raw === null ? '11'.repeat(32) : message.parent_index_block_hash.slice(2),
          height: message.block_height,
        }))
        .toReversed(),
    }
  }

  /** Source: hirosystems/stacks-blockchain-api `src/api/routes`. */
  function apiReply({ pathname, searchParams }: URL): unknown {
    const limit = Number(searchParams.get('limit') ?? 20)
    const offset = Number(searchParams.get('offset') ?? 0)
    const page = <T>(all: readonly T[]) => ({
      limit,
      offset,
      total: all.length,
      results: all.slice(offset, offset + limit),
    })
    const newest = canonical.toReversed()
    const parts = pathname.split('/').slice(2)
    switch (parts.slice(0, 2).join('/')) {
      case 'v2/blocks': {
        if (parts[2] === undefined) {
          const cursor = searchParams.get('cursor')
          const from =
            cursor === null ? 0 : newest.findIndex(({ message }) => message.index_block_hash === cursor)
          return from < 0 ? null : { ...page(newest.slice(from).map(apiBlockOf)), cursor }
        }
        const block = canonicalAt(parts[2])
        if (block === undefined) return null
        if (parts[3] === 'transactions') return page(blockTxids(block).map(tx_id => ({ tx_id })))
        return apiBlockOf(block)
      }
      case 'v3/blocks': {
        const block = canonicalAt(parts[2]!)
        if (block === undefined || !server.speaks.newTxList) return null
        // The newest stands first, and cursors name the place.
        const all = blockTxids(block).toReversed()
        const cursor = Number(searchParams.get('cursor')?.split(':')[2] ?? all.length - 1)
        const from = all.length - 1 - cursor
        const next = from + limit < all.length ? `${heightOf(block)}:0:${cursor - limit}` : null
        return {
          total: all.length,
          limit,
          cursor: { next, previous: null, current: null },
          results: all.slice(from, from + limit).map(tx_id => ({ tx_id })),
        }
      }
      case 'v1/tx':
        return parts[2] === 'multiple' ? transactions(searchParams) : rawTx(parts[2]!)
      case 'v1/contract': {
        for (const { message } of canonical)
          for (const tx of message.transactions) {
            const made = apiTxOf(codec, message, tx).smart_contract
            if (made?.contract_id === parts[2])
              return {
                tx_id: tx.txid,
                canonical: true,
                contract_id: parts[2],
                abi: JSON.stringify(tx.contract_abi ?? tx.contract_interface ?? null),
              }
          }
        return null
      }
      case 'v1/burnchain':
        return parts[2] === 'rewards' ? page(burnRewards(burnBlocks)) : page(slotHolders(burnBlocks))
      case 'v2/pox':
        return parts[4] === 'signers'
          ? page(signersOf(canonical, Number(parts[3])))
          : page(cyclesOf(canonical))
      case 'v2/burn-blocks':
        return parts[3] === 'pox-transactions' ? page([]) : null
      default:
        return null
    }
  }

  function transactions(query: URLSearchParams): unknown {
    const first = Number(query.get('event_offset') ?? 0)
    const last = first + Number(query.get('event_limit') ?? 20) - 1
    const found: Record<string, unknown> = {}
    for (const txid of (query.get('tx_id') ?? '').split(',')) {
      const block = canonical.find(({ message }) => message.transactions.some(tx => tx.txid === txid))
      const tx = block?.message.transactions.find(each => each.txid === txid)
      if (block === undefined || tx === undefined) {
        found[txid] = { found: false, result: { tx_id: txid } }
        continue
      }
      const result = apiTxOf(codec, block.message, tx)
      found[txid] = {
        found: true,
        result: {
          ...result,
          events: result.events.filter(({ event_index: at }) => at >= first && at <= last),
        },
      }
    }
    return found
  }

  function rawTx(txid: string): unknown {
    for (const { message } of canonical)
      for (const tx of message.transactions) if (tx.txid === txid) return { raw_tx: tx.raw_tx }
    return null
  }

  return server
}
