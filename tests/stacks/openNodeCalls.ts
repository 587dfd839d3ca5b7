import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export type AskedCall = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** A server that answers the calls of a Stacks node and its API by their path, as they do. */
export type NodeCalls = AsyncDisposable & {
  readonly url: string
  readonly asked: AskedCall[]
  /** By method and path: what is answered in place of the usual. */
  readonly instead: Map<string, { readonly status: number; readonly body: unknown }>
}

const CONTRACT = {
  functions: [
    {
      name: 'delegate',
      access: 'public',
      args: [{ name: 'amount', type: 'uint128' }],
      outputs: { type: 'bool' },
    },
  ],
  variables: [],
  maps: [],
  fungible_tokens: [],
  non_fungible_tokens: [],
}
const DATA = { data: '0x09' }
const TXID = 'ab'.repeat(32)
const ADDRESS = 'SP000000000000000000002Q6VF78'

/** Answers in the forms of stacks-core `docs/rpc/openapi.yaml` and stacks-blockchain-api `docs/openapi.yaml`. */
const USUAL: readonly (readonly [RegExp, unknown])[] = [
  [/^POST \/v2\/transactions$/, TXID],
  [/^GET \/v2\/fees\/transfer$/, 1],
  [
    /^POST \/v2\/fees\/transaction$/,
    { estimated_cost_scalar: 14, estimations: [{ fee: 180, fee_rate: 1.2 }] },
  ],
  [/^GET \/v2\/accounts\/[^/]+\?proof=0$/, { balance: '0x10', locked: '0x00', unlock_height: 0, nonce: 3 }],
  [
    /^GET \/extended\/v1\/address\/[^/]+\/balances$/,
    { stx: { balance: '16', locked: '0' }, fungible_tokens: { 'SP.t::t': { balance: '5' } } },
  ],
  [/^GET \/extended\/v2\/addresses\/[^/]+\/balances\/stx$/, { balance: '17', locked: '2' }],
  [
    /^GET \/extended\/v2\/addresses\/[^/]+\/balances\/ft\?/,
    { results: [{ token: 'SP.t::t', balance: '6' }] },
  ],
  [/^GET \/v2\/contracts\/interface\/[^/]+\/[^/]+$/, CONTRACT],
  [/^POST \/v2\/contracts\/call-read\/[^/]+\/[^/]+\/[^/]+$/, { okay: true, result: '0x03' }],
  [
    /^GET \/v2\/info$/,
    { network_id: 1, burn_block_height: 9, stacks_tip_height: 8, stacks_tip: 'aa', server_version: 'x' },
  ],
  [
    /^GET \/extended\/v1\/info\/network_block_times$/,
    { mainnet: { target_block_time: 600 }, testnet: { target_block_time: 120 } },
  ],
  [
    /^GET \/v2\/pox$/,
    {
      contract_id: `${ADDRESS}.pox-4`,
      current_burnchain_block_height: 9,
      reward_cycle_id: 1,
      reward_cycle_length: 2100,
      total_liquid_supply_ustx: 1,
    },
  ],
  [
    /^GET \/extended\/v1\/burnchain\/rewards\/[^/]+\/total$/,
    { reward_recipient: 'bc1q', reward_amount: '7' },
  ],
  [
    /^GET \/extended\/v1\/burnchain\/rewards\/[^/]+\?limit=5&offset=10$/,
    {
      limit: 5,
      offset: 10,
      results: [{ burn_block_height: 1, reward_recipient: 'bc1q', reward_amount: '7' }],
    },
  ],
  [
    /^GET \/extended\/v1\/burnchain\/reward_slot_holders\/[^/]+\?limit=5&offset=10$/,
    { limit: 5, offset: 10, total: 1, results: [{ burn_block_height: 1, address: 'bc1q', slot_index: 0 }] },
  ],
  [/^GET \/v2\/data_var\/[^/]+\/[^/]+\/[^/]+\?proof=0$/, DATA],
  [/^POST \/v2\/map_entry\/[^/]+\/[^/]+\/[^/]+\?proof=0$/, DATA],
  [/^GET \/v1\/names\/[^/]+$/, { address: ADDRESS, status: 'name-register' }],
  [/^GET \/v1\/names\/[^/]+\/zonefile$/, { zonefile: '$ORIGIN a.btc' }],
  [/^GET \/v1\/addresses\/stacks\/[^/]+$/, { names: ['a.btc'] }],
]

export async function openNodeCalls(): Promise<NodeCalls> {
  const asked: AskedCall[] = []
  const instead: NodeCalls['instead'] = new Map()
  const server = createServer(async (request, reply) => {
    const { method = '', url = '', headers } = request
    const bytes: Buffer[] = []
    for await (const part of request) bytes.push(part)
    asked.push({ method, path: url, headers, body: Buffer.concat(bytes) })
    const line = `${method} ${url}`
    const own = instead.get(line)
    const usual = USUAL.find(([pattern]) => pattern.test(line))
    reply.writeHead(own?.status ?? (usual === undefined ? 404 : 200), { 'content-type': 'application/json' })
    reply.end(JSON.stringify(own === undefined ? (usual?.[1] ?? 'none') : own.body))
  })
  server.keepAliveTimeout = 60_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    instead,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
