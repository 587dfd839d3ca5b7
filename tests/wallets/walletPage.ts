import { afterEach, beforeEach, type Mock, mock } from 'node:test'
import { makeWallet } from '#tests/wallets/account.ts'
import type { Installed } from '#tests/wallets/install.ts'
import { enterPage, MadePage } from '#tests/wallets/madePage.ts'
import { signInWithWallet, type WalletId } from '#web/wallet/index.ts'

export const KEY = `${'1d'.repeat(32)}01`
export const OTHER_KEY = `${'2e'.repeat(32)}01`
export const HUB = 'https://hub.assay.test'
export const ASIGNA = 'https://stx.asigna.io'
export const LEATHER = 'LeatherProvider'
export const XVERSE = 'XverseProviders.BitcoinProvider'
export let page: MadePage
export let left: Disposable
export let logged: Mock<typeof console.error>

/** Paths that the server was asked for. */
export let calls: string[]

export function enter(given: MadePage): void {
  page = given
  left = enterPage(page)
}

export const made = (
  more: Partial<Installed> & { network?: 'testnet'; associationToken?: string } = {},
): Installed => ({
  wallet: makeWallet({
    key: KEY,
    hubUrl: HUB,
    profileUrl: 'https://profile.assay.test/me',
    network: more.network,
    associationToken: more.associationToken,
  }),
  refused: [],
  hasToken: false,
  asked: [],
  changed: () => undefined,
  ...more,
})

/** Signs in and tells what the callbacks were told. */
export async function signIn(id: WalletId) {
  const told: string[] = []
  const session = await signInWithWallet(id, {
    onFinish: () => told.push('finish'),
    onCancel: error => told.push(`cancel ${error.code}`),
    onNoWallet: () => told.push('no wallet'),
  })
  return { session, told }
}

/** Before each test, enters a page without wallets that counts requests to the server. */
export function setUpWalletPage(): void {
  beforeEach(() => {
    enter(new MadePage())
    calls = []
    logged = mock.method(console, 'error', () => undefined)
    mock.method(console, 'warn', () => undefined)
    mock.method(globalThis, 'fetch', async (url: string, init?: RequestInit) => {
      calls.push(`${init?.method ?? 'GET'} ${url}`)
      return url === '/config.json'
        ? Response.json({ asignaOrigins: [ASIGNA] })
        : new Response(null, { status: 204 })
    })
  })
  afterEach(() => {
    mock.restoreAll()
    left[Symbol.dispose]()
  })
}
