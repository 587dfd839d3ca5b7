import { isXverse, type Provider, providerOf } from './providers.ts'
import { noWallet, WalletError } from './walletError.ts'
import { appDetails, type WalletId, walletOf } from './wallets.ts'

/** Leather; Xverse and SIP-030; `@stacks/connect`. */
const CANCEL_CODES: readonly unknown[] = [4001, -32_000, -31_001]

/**
 * One request by JSON-RPC. Wallets differ: Leather rejects with the whole envelope, Xverse resolves with it, Asigna answers with
 * `{result}` or with the result itself, and Xverse tells its addresses by a method of its own.
 * Throws `WalletError`: `none`, `cancelled`, `refused`, `silent`, `answer`.
 */
export async function askWallet(id: WalletId, method: string, params?: object): Promise<unknown> {
  const provider = providerOf(id)
  if (provider === undefined) throw noWallet()
  const [name, given] = method === 'getAddresses' && isXverse(provider) ? xverseConnect() : [method, params]
  return resultIn(await answerOf(id, provider, name, given), id, name)
}

/** Asks for the permission too, and says nothing where that was given before. Source: sats-connect `wallet_connect`. */
const xverseConnect = (): [string, object] => [
  'wallet_connect',
  { addresses: ['stacks'], message: `${appDetails().name} requests your Stacks address.` },
]

async function answerOf(id: WalletId, provider: Provider, method: string, params?: object): Promise<unknown> {
  try {
    return await provider.request(method, params)
  } catch (thrown) {
    if (thrown instanceof WalletError) throw thrown
    throw errorIn(fieldOf(thrown, 'error') ?? thrown, id, method)
  }
}

function resultIn(answer: unknown, id: WalletId, method: string): unknown {
  if (typeof answer !== 'object' || answer === null)
    throw new WalletError('answer', `${walletOf(id).name} gave no answer to ${method}.`)
  const error = fieldOf(answer, 'error')
  if (error !== undefined && error !== null) throw errorIn(error, id, method)
  return fieldOf(answer, 'result') ?? answer
}

function errorIn(thrown: unknown, id: WalletId, method: string): WalletError {
  const { name } = walletOf(id)
  const code = fieldOf(thrown, 'code')
  if (thrown === 'cancel' || CANCEL_CODES.includes(code))
    return new WalletError('cancelled', `Canceled in ${name}.`, { cause: thrown, facts: { method } })
  const said = fieldOf(thrown, 'message')
  const words = typeof said === 'string' ? said : typeof thrown === 'string' ? thrown : 'no reason given'
  return new WalletError('refused', `${name} refused: ${words.slice(0, 300)}`, {
    cause: thrown,
    facts: { method, walletCode: typeof code === 'number' ? code : null },
  })
}

/** A field of whatever came; undefined where it has none. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

/** A field that is a text which is not empty; undefined otherwise. */
export function textIn(value: unknown, name: string): string | undefined {
  const found = fieldOf(value, name)
  return typeof found === 'string' && found !== '' ? found : undefined
}
