import { makeWallet } from './account.ts'
import { type Installed, installAsigna, installLeather, installXverse } from './install.ts'

/** What a test sets before the scripts of a page run. */
type Setting = {
  readonly key: string
  readonly hubUrl?: string
  readonly profileUrl?: string
  readonly wallets: readonly ('leather' | 'xverse' | 'asigna')[]
  /** How long after the page's own scripts a wallet comes, milliseconds. */
  readonly delayMs: number
  readonly refused: readonly string[]
  readonly hasToken: boolean
}

declare global {
  interface Window {
    madeWallets?: Setting
    /** For a test to look at, and to change what the wallets do. */
    wallets?: Installed & { use(key: string): void }
  }
}

const INSTALL = { leather: installLeather, xverse: installXverse, asigna: installAsigna } as const

const { madeWallets: setting } = window
if (setting !== undefined) {
  const made = (key: string) => makeWallet({ key, hubUrl: setting.hubUrl, profileUrl: setting.profileUrl })
  const state: Installed = {
    wallet: made(setting.key),
    refused: setting.refused,
    hasToken: setting.hasToken,
    asked: [],
    changed: () => undefined,
  }
  window.wallets = Object.assign(state, {
    use(key: string) {
      state.wallet = made(key)
      state.changed()
    },
  })
  setTimeout(() => {
    for (const name of setting.wallets) INSTALL[name](window, state)
  }, setting.delayMs)
}
