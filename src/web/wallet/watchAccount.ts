import { accountIn } from './accounts.ts'
import { askWallet } from './askWallet.ts'
import { endSession } from './endSession.ts'
import { isXverse, type Provider, providerOf, watchWallets } from './providers.ts'
import { storedSession } from './session.ts'
import type { WalletId } from './wallets.ts'

/**
 * Ends the session when its wallet changes to another account, and calls `onSwitch` then. Wallets that answer without asking
 * their owner are asked once they are there, whenever the page is looked at again, and when they tell of a change themselves; what others sign
 * is held against the session's address. Ends with the function that it returns.
 */
export function watchAccount(onSwitch: () => void = () => undefined): () => void {
  let unlisten: (() => void) | undefined
  const check = async () => {
    const session = storedSession()
    if (session === undefined) return
    const { walletId, address } = session.userData
    const now = await quietAddress(walletId)
    if (now === undefined || now === address || storedSession()?.userData.address !== address) return
    await endSession()
    onSwitch()
  }
  const look = () => {
    if (document.visibilityState === 'visible') void check()
  }
  const stopWatching = watchWallets(installed => {
    const walletId = storedSession()?.userData.walletId
    const provider = walletId && installed.includes(walletId) ? providerOf(walletId) : undefined
    if (provider === undefined) return
    unlisten ??= listenTo(provider, () => void check())
    void check()
  })
  document.addEventListener('visibilitychange', look)
  return () => {
    stopWatching()
    unlisten?.()
    document.removeEventListener('visibilitychange', look)
  }
}

/** The address in use; undefined for a wallet that would ask its owner first, or does not tell. */
async function quietAddress(id: WalletId): Promise<string | undefined> {
  const provider = providerOf(id)
  if (provider === undefined) return undefined
  // Xverse answers this one only to whom it is connected; Asigna tells the page inside of it.
  const method = isXverse(provider)
    ? 'stx_getAddresses'
    : id === 'AsignaProvider'
      ? 'getAddresses'
      : undefined
  if (method === undefined) return undefined
  try {
    return (await accountIn(await askWallet(id, method), id)).address
  } catch {
    return undefined
  }
}

/** Wallets tell of another account by an event whose name SIP-030 leaves open; `accountChange` is that of Xverse. */
function listenTo(provider: Provider, hear: () => void): () => void {
  const add: unknown = Reflect.get(provider, 'addListener')
  if (typeof add !== 'function') return () => undefined
  const stop: unknown = add.call(provider, 'accountChange', hear)
  return typeof stop === 'function' ? () => stop() : () => undefined
}
