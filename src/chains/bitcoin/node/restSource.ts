import { z } from 'zod'
import type { Network } from '#kernel/bitcoin.ts'
import { NodeError } from '../../node/errors.ts'
import { createHttpClient, HTTP_LIMITS, type HttpLimits } from '../../node/http.ts'
import { readAhead } from '../../node/readAhead.ts'
import { HEADER_BYTES, readHeader, workOfBits } from './header.ts'
import { HTTP_HELP } from './networks.ts'
import { ChainInfo, demandChain } from './rpcSource.ts'
import type { BlockRef, BlockSource, RawBlock } from './source.ts'

export type RestConfig = {
  /** `http://127.0.0.1:8332`: a node with `rest=1`; it asks for no password. */
  readonly url: string
  readonly network: Network
  readonly limits?: Partial<HttpLimits>
}

/** Bitcoin Core gives at most so many headers at once. */
const MOST_HEADERS = 2000
const HashAtHeight = z.object({ blockhash: z.string().regex(/^[0-9a-f]{64}$/) })

/** A node's best chain by Bitcoin Core's REST interface: bytes as they are, no hex in between. */
export function createRestSource(config: RestConfig): BlockSource & Disposable {
  const http = createHttpClient(new URL(config.url), { ...HTTP_LIMITS, ...config.limits }, HTTP_HELP)

  async function get(path: string, what: string, signal?: AbortSignal): Promise<Buffer | null> {
    const answer = await http.send({ method: 'GET', path: `/rest/${path}`, what, signal })
    if (answer.status === 200) return answer.body
    const said = answer.body.subarray(0, 200).toString('utf8').trim()
    if (/pruned/i.test(said))
      throw new NodeError('node.pruned', `${http.name} no longer has the block: ${said}`, {
        hint: 'Start from a height that the node still holds, or use a node that is not pruned.',
      })
    if (answer.status === 404) return null
    if (answer.status === 401 || answer.status === 403)
      throw new NodeError('node.forbidden', `${http.name} refused ${what} (${answer.status}).`, {
        hint: 'Set `rest=1` in bitcoin.conf and let this address in.',
      })
    throw new NodeError('node.http', `${http.name} answered ${what} with status ${answer.status}: ${said}`)
  }

  async function getJson<T>(schema: z.ZodType<T>, path: string, what: string, signal?: AbortSignal) {
    const body = await get(path, what, signal)
    if (body === null) return null
    try {
      return schema.parse(JSON.parse(body.toString('utf8')))
    } catch (cause) {
      throw new NodeError('node.shape', `${http.name} answered ${what} in a shape we do not know.`, { cause })
    }
  }

  async function tip(signal?: AbortSignal): Promise<BlockRef> {
    const info = await getJson(ChainInfo, 'chaininfo.json', 'chaininfo', signal)
    if (info === null)
      throw new NodeError('node.http', `${http.name} has no REST interface.`, {
        hint: 'Set `rest=1` in bitcoin.conf.',
      })
    demandChain(http.name, info.chain, config.network)
    return { height: info.blocks, hash: info.bestblockhash }
  }

  const hashAt = async (height: number, signal?: AbortSignal): Promise<string | null> =>
    (await getJson(HashAtHeight, `blockhashbyheight/${height}.json`, 'blockhashbyheight', signal))
      ?.blockhash ?? null

  async function headersFrom(hash: string, count: number, signal?: AbortSignal) {
    const body = await get(`headers/${count}/${hash}.bin`, 'headers', signal)
    if (body === null) return []
    if (body.length % HEADER_BYTES !== 0)
      throw new NodeError('node.shape', `${http.name} answered headers with ${body.length} bytes.`)
    return Array.from({ length: body.length / HEADER_BYTES }, (_, i) =>
      readHeader(body.subarray(i * HEADER_BYTES)),
    )
  }

  async function headerTimes(fromHeight: number, toHeight: number, signal?: AbortSignal): Promise<number[]> {
    const first = await hashAt(fromHeight, signal)
    if (first === null) return []
    return (await headersFrom(first, toHeight - fromHeight + 1, signal)).map(header => header.timeS)
  }

  async function workAbove(height: number, signal?: AbortSignal): Promise<bigint | null> {
    const { height: top } = await tip(signal)
    if (top - height > MOST_HEADERS) return null
    const first = top > height ? await hashAt(height + 1, signal) : null
    if (first === null) return 0n
    const headers = await headersFrom(first, top - height, signal)
    return headers.reduce((sum, header) => sum + workOfBits(header.bits), 0n)
  }

  async function* requests(fromHeight: number, toHeight: number, signal?: AbortSignal) {
    for (let height = fromHeight; height <= toHeight; ) {
      const first = await hashAt(height, signal)
      if (first === null) throw new NodeError('node.lied', `${http.name} has no block at height ${height}.`)
      const hashes = (await headersFrom(first, Math.min(MOST_HEADERS, toHeight - height + 1), signal)).map(
        one => one.hash,
      )
      if (hashes[0] !== first)
        throw new NodeError('node.lied', `${http.name} gave other headers than those of block ${first}.`)
      for (const hash of hashes) {
        const at = height++
        yield async (): Promise<RawBlock[]> => {
          const bytes = await get(`block/${hash}.bin`, 'block', signal)
          if (bytes === null)
            throw new NodeError(
              'node.lied',
              `${http.name} does not have block ${hash} of height ${at}, which it named.`,
            )
          return [{ height: at, hash, bytes }]
        }
      }
    }
  }

  return {
    origin: 'rest',
    name: http.name,
    tip,
    hashAt,
    workAbove,
    headerTimes,
    blocks: (fromHeight, toHeight, signal) => readAhead(requests(fromHeight, toHeight, signal), 4),
    [Symbol.dispose]: () => http[Symbol.dispose](),
  }
}
