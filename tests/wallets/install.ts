import { initInpageProvider } from '@leather.io/provider'
import { fault, type MadeWallet, type Params, type RpcFault } from './account.ts'

/** What is put into a page. */
export type Installed = {
  /** The account in use; another one may take its place at any time. */
  wallet: MadeWallet
  /** Methods that are refused by the wallet's owner; `token` is sign-in by token. */
  refused: readonly string[]
  /** Whether the wallet signs in by token. */
  hasToken: boolean
  /** All that was asked, in order. */
  readonly asked: { readonly method: string; readonly params: Params }[]
  /** Tells those who listen that another account is in use. */
  changed: () => void
}

/** What of a page wallets use. */
type Page = EventTarget & {
  postMessage(message: unknown, origin: string): void
  readonly document: EventTarget
  readonly location: { readonly origin: string }
}

async function answer(state: Installed, refusal: RpcFault, method: string, params: Params): Promise<object> {
  state.asked.push({ method, params })
  if (state.refused.includes(method)) throw refusal
  return state.wallet.answer(method, params)
}

/**
 * Leather: its own in-page script; what is played here is its background, which speaks by messages.
 * Source: `@leather.io/provider` 1.6.24.
 */
export function installLeather(page: Page, state: Installed): void {
  const reply = (message: object) => page.postMessage(message, page.location.origin)
  initInpageProvider({
    env: {
      // Of a phone it has sign-in by token in name alone.
      platform: state.hasToken ? 'extension' : 'mobile',
      branch: 'test',
      commitSha: 'test',
      version: '0.0.0',
    },
    onDispatch(request) {
      const { id, method } = request
      const params = ('params' in request ? request.params : undefined) ?? {}
      const asked = answer(state, fault(4001, 'User rejected request'), method, params as Params)
      void asked.then(
        result => reply({ jsonrpc: '2.0', id, result }),
        error => reply({ jsonrpc: '2.0', id, error }),
      )
    },
  })
  page.document.addEventListener('hiroWalletStacksAuthenticationRequest', event => {
    const { authenticationRequest } = (event as CustomEvent<{ authenticationRequest: string }>).detail
    state.asked.push({ method: 'token', params: { authenticationRequest } })
    const answered = state.refused.includes('token')
      ? Promise.resolve('cancel')
      : state.wallet.authResponse(authenticationRequest)
    void answered.then(authenticationResponse =>
      reply({
        source: 'stacks-wallet',
        method: 'hiroWalletAuthenticationResponse',
        payload: { authenticationRequest, authenticationResponse },
      }),
    )
  })
}

/**
 * Xverse: resolves with an envelope whatever happens; two methods that no other wallet has are how it is known.
 * Source: xverse-web-extension, February 2025.
 */
export function installXverse(page: object, state: Installed): void {
  const listeners: (() => void)[] = []
  state.changed = () => {
    for (const hear of listeners) hear()
  }
  const provider = {
    signMultipleTransactions() {},
    createRepeatInscriptions() {},
    addListener(name: string, hear: () => void) {
      if (name === 'accountChange') listeners.push(hear)
      return () => listeners.splice(listeners.indexOf(hear), 1)
    },
    async request(method: string, params: Params = {}) {
      try {
        if (method === 'getAddresses' && !('purposes' in params)) throw fault(-32_602, 'Invalid parameters.')
        const result = await answer(state, fault(-32_000, 'User rejected request'), method, params)
        return { status: 'success', jsonrpc: '2.0', id: '1', result }
      } catch (error) {
        return { status: 'error', jsonrpc: '2.0', id: '1', error }
      }
    },
  }
  const old = {
    request() {
      throw new Error('`request` function is not implemented')
    },
    ...(state.hasToken && {
      async authenticationRequest(token: string) {
        state.asked.push({ method: 'token', params: { authenticationRequest: token } })
        if (state.refused.includes('token')) throw new Error('User canceled')
        return state.wallet.authResponse(token)
      },
    }),
  }
  Reflect.set(page, 'XverseProviders', { BitcoinProvider: provider, StacksProvider: old })
}

/**
 * Asigna: the page around ours, which answers its messages. `page` is that outer page.
 * Source: `@stacks/connect` 8.2.7 `providers/asigna`.
 */
export function installAsigna(page: EventTarget, state: Installed): void {
  page.addEventListener('message', event => {
    const { data, source, origin } = event as MessageEvent
    if (data?.source !== 'asigna-stx' || source === null) return
    const [method] = Object.keys(data).filter(key => key !== 'source')
    if (method === undefined) return
    void answer(state, fault(4001, 'Rejected'), method, data[method]).then(
      result => (source as Window).postMessage({ source: 'asigna-stx', [method]: { result } }, origin),
      error => (source as Window).postMessage({ source: 'asigna-stx', [method]: { error } }, origin),
    )
  })
}
