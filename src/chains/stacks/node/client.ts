import type { z } from 'zod'
import type { NetworkName } from '#kernel/stacks.ts'
import { rejectionOf } from '#kernel/stacksRejections.ts'
import { demandNetworkName } from '#kernel/stacksRules.ts'
import { NodeError } from '../../node/errors.ts'
import type { HttpAnswer } from '../../node/http.ts'
import * as answers from './clientAnswers.ts'
import { openStacksEndpoint, type StacksEndpointConfig, shape } from './endpoint.ts'

const BASES: Readonly<Record<NetworkName, string>> = {
  mainnet: 'https://api.mainnet.hiro.so',
  testnet: 'https://api.testnet.hiro.so',
  devnet: 'http://localhost:3999',
  mocknet: 'http://localhost:3999',
}

/** Where the public API of a network answers. Throws with the names of networks for any other name. */
export const stacksBaseUrl = (network: string): string => BASES[demandNetworkName(network)]

/** A node did not take a transaction. `reason` is the node's own word; the message can be shown. `code` is `node.rejected`. */
export class RejectedError extends NodeError {
  readonly reason: string

  constructor(reason: string, txid: string | undefined) {
    const { what, why, todo } = rejectionOf(reason)
    super('node.rejected', `${what} ${why}`, { hint: todo, facts: { reason, txid } })
    this.reason = reason
  }
}

type Page = { readonly limit: number; readonly offset: number }
type Answer<Name extends keyof typeof answers> = z.output<(typeof answers)[Name]>

/** Every call to a Stacks node and its public API that the product makes. Throws `NodeError`; `node.status` where the answer is another than 200. */
export type StacksClient = Disposable & {
  readonly name: string
  /** Sends a signed transaction on; its txid. Throws `RejectedError`. */
  broadcast(transaction: Uint8Array): Promise<string>
  /** Micro-STX for each byte of a transfer. */
  feeTransfer(): Promise<number>
  /** What a payload (hex) would cost, in a transaction of `bytes`. */
  feeTransaction(payload: string, bytes: number): Promise<Answer<'feeEstimate'>>
  account(principal: string): Promise<Answer<'account'>>
  /** By the old call, or by its successors where that is gone (410). */
  balances(principal: string): Promise<Answer<'balances'>>
  contractInterface(contract: string): Promise<Answer<'contractInterface'>>
  /** Arguments are Clarity values in hex. */
  callRead(
    contract: string,
    functionName: string,
    sender: string,
    args: readonly string[],
  ): Promise<Answer<'callResult'>>
  info(): Promise<Answer<'info'>>
  blockTimes(): Promise<Answer<'blockTimes'>>
  pox(): Promise<Answer<'pox'>>
  rewards(address: string, page: Page): Promise<Answer<'rewards'>>
  rewardsTotal(address: string): Promise<Answer<'rewardsTotal'>>
  rewardSlotHolders(address: string, page: Page): Promise<Answer<'rewardSlotHolders'>>
  dataVar(contract: string, name: string): Promise<Answer<'clarityData'>>
  /** `key` is a Clarity value in hex. */
  mapEntry(contract: string, name: string, key: string): Promise<Answer<'clarityData'>>
  /** Throws `node.name` ('Name not found'). */
  nameInfo(name: string): Promise<Answer<'nameInfo'>>
  namesOf(address: string): Promise<Answer<'namesOf'>>
  zonefile(name: string): Promise<Answer<'zonefile'>>
}

const OK = 200
const MISSING = 404
const GONE = 410
/** Tokens of one address that are asked for where the old call is gone. */
const MOST_TOKENS = 200

/** Nothing is sent before the first question. Throws `node.config`. */
export function openStacksClient(config: StacksEndpointConfig): StacksClient {
  const endpoint = openStacksEndpoint(config)

  function read<S extends z.ZodType>({ status, body }: HttpAnswer, path: string, schema: S): z.output<S> {
    if (status !== OK)
      throw new NodeError('node.status', `Bad response status: ${status}`, {
        facts: { status, path },
        isExact: true,
      })
    const parsed = schema.safeParse(jsonIn(body))
    if (parsed.success) return parsed.data
    const [issue] = parsed.error.issues
    throw shape(endpoint.name, path, `${issue?.path.join('.')}: ${issue?.message}`)
  }

  async function get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>> {
    return read(await endpoint.send(path), path, schema)
  }

  async function post<S extends z.ZodType>(path: string, body: unknown, schema: S): Promise<z.output<S>> {
    const content = JSON.stringify(body)
    return read(await endpoint.send(path, { content, type: 'application/json' }), path, schema)
  }

  async function balances(principal: string): Promise<Answer<'balances'>> {
    const path = at`/extended/v1/address/${principal}/balances`
    const answer = await endpoint.send(path)
    if (answer.status !== GONE) {
      const { stx, fungible_tokens } = read(answer, path, answers.oldBalances)
      const tokens = Object.entries(fungible_tokens).map(([id, { balance }]) => [id, balance] as const)
      return balancesOf(stx, tokens)
    }
    const newer = at`/extended/v2/addresses/${principal}/balances`
    const [stx, { results }] = await Promise.all([
      get(`${newer}/stx`, answers.newStxBalance),
      get(`${newer}/ft?limit=${MOST_TOKENS}&offset=0`, answers.newTokenBalances),
    ])
    return balancesOf(
      stx,
      results.map(({ token, balance }) => [token, balance] as const),
    )
  }

  return {
    name: endpoint.name,
    async broadcast(transaction) {
      const path = '/v2/transactions'
      const { status, body } = await endpoint.send(path, {
        content: transaction,
        type: 'application/octet-stream',
      })
      const told = jsonIn(body)
      if (status === OK && typeof told === 'string') return told.replace(/^0x/, '')
      const refused = answers.rejected.safeParse(told)
      if (!refused.success)
        throw new NodeError('node.status', `Bad response status: ${status}`, {
          facts: { status, path },
          isExact: true,
        })
      const { reason, txid } = refused.data
      throw new RejectedError(reason, typeof txid === 'string' ? txid : undefined)
    },
    feeTransfer: () => get('/v2/fees/transfer', answers.feeTransfer),
    feeTransaction: (payload, bytes) =>
      post(
        '/v2/fees/transaction',
        { transaction_payload: payload, estimated_len: bytes },
        answers.feeEstimate,
      ),
    account: principal => get(at`/v2/accounts/${principal}?proof=0`, answers.account),
    balances,
    contractInterface: contract =>
      get(`/v2/contracts/interface/${parts(contract)}`, answers.contractInterface),
    callRead: (contract, functionName, sender, args) =>
      post(
        `/v2/contracts/call-read/${parts(contract)}${at`/${functionName}`}`,
        { sender, arguments: args },
        answers.callResult,
      ),
    info: () => get('/v2/info', answers.info),
    blockTimes: () => get('/extended/v1/info/network_block_times', answers.blockTimes),
    pox: () => get('/v2/pox', answers.pox),
    rewards: (address, page) =>
      get(`${at`/extended/v1/burnchain/rewards/${address}`}${span(page)}`, answers.rewards),
    rewardsTotal: address => get(at`/extended/v1/burnchain/rewards/${address}/total`, answers.rewardsTotal),
    rewardSlotHolders: (address, page) =>
      get(
        `${at`/extended/v1/burnchain/reward_slot_holders/${address}`}${span(page)}`,
        answers.rewardSlotHolders,
      ),
    dataVar: (contract, name) =>
      get(`/v2/data_var/${parts(contract)}${at`/${name}?proof=0`}`, answers.clarityData),
    mapEntry: (contract, name, key) =>
      post(`/v2/map_entry/${parts(contract)}${at`/${name}?proof=0`}`, key, answers.clarityData),
    async nameInfo(name) {
      const path = at`/v1/names/${name}`
      const answer = await endpoint.send(path)
      if (answer.status === MISSING)
        throw new NodeError('node.name', 'Name not found', { facts: { name }, isExact: true })
      return read(answer, path, answers.nameInfo)
    },
    namesOf: address => get(at`/v1/addresses/stacks/${address}`, answers.namesOf),
    zonefile: name => get(at`/v1/names/${name}/zonefile`, answers.zonefile),
    [Symbol.dispose]: () => endpoint[Symbol.dispose](),
  }
}

/** A path whose inserted parts are encoded. */
const at = (texts: TemplateStringsArray, ...inserted: string[]): string =>
  texts
    .map((text, i) => `${text}${i < inserted.length ? encodeURIComponent(inserted[i] ?? '') : ''}`)
    .join('')

const parts = (contract: string): string => contract.split('.').map(encodeURIComponent).join('/')
const span = ({ limit, offset }: Page): string => `?limit=${limit}&offset=${offset}`

function jsonIn(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

const balancesOf = (
  { balance, locked }: { readonly balance: string; readonly locked: string },
  tokens: readonly (readonly [id: string, balance: string])[],
): Answer<'balances'> => ({ stx: { balance, locked }, fungible_tokens: Object.fromEntries(tokens) })
