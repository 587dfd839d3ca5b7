/** The wallets that are offered, in this order. */
export const WALLETS = [
  {
    id: 'LeatherProvider',
    name: 'Leather',
    installUrl: 'https://leather.io/install-extension',
    tokenPath: 'LeatherProvider',
    about: 'Browser extension for Stacks and Bitcoin',
  },
  {
    id: 'XverseProviders.BitcoinProvider',
    name: 'Xverse Wallet',
    installUrl: 'https://www.xverse.app/download',
    tokenPath: 'XverseProviders.StacksProvider',
    about: 'Browser extension and app for Stacks and Bitcoin',
  },
  {
    id: 'AsignaProvider',
    name: 'Asigna',
    installUrl: 'https://stx.asigna.io/',
    tokenPath: undefined,
    about: 'Multisig: open Assay from inside Asigna',
  },
] as const

/** Path below `window` at which a wallet stands; that of Asigna is a name alone. */
export type WalletId = (typeof WALLETS)[number]['id']

export type Wallet = {
  readonly id: WalletId
  readonly name: string
  /** Where it can be had. */
  readonly installUrl: string
  /** Path of the object that signs in by token; undefined for a wallet that has no such sign-in. */
  readonly tokenPath: string | undefined
  /** A line under its name. */
  readonly about: string
}

export const walletOf = (id: WalletId): Wallet => WALLETS.find(wallet => wallet.id === id) ?? WALLETS[0]

export const isWalletId = (id: unknown): id is WalletId => WALLETS.some(wallet => wallet.id === id)

/** What a wallet's prompt shows of who asks. */
export const appDetails = () => ({ name: 'Assay', icon: `${window.location.origin}/favicon.svg` })
