/**
 * The door to wallets: connecting, proving an address, signing and sending, the user's own hub. Whoever is to load it only when somebody
 * connects a wallet imports it dynamically; `storedSession` alone (`./session.ts`) is light enough to be asked at every start.
 */
export { isMultisig, type StacksAccount } from './accounts.ts'
export { type Backup, backupAliases, hasBackup, restoreAliases } from './backup.ts'
export { CipherError, type CipherObject, decrypt, encrypt } from './cipher.ts'
export type { ClarityInput } from './clarity.ts'
export { endSession } from './endSession.ts'
export { getFile, type HubFile, hasHub, listFiles, putFile } from './hub/hub.ts'
export { HubError } from './hub/hubError.ts'
export { profileIn, type WalletProfile, walletProfile } from './profile.ts'
export { proveAddress } from './prove.ts'
export { installedWallets, watchWallets } from './providers.ts'
export { type Outcome, type RequestKind, type RequestStep, watchRequests } from './requests.ts'
export { callContract, type Limit, type Sent, transferStx } from './send.ts'
export { storedSession, type WalletSession, type WalletUser, watchSession } from './session.ts'
export { type Signed, signMessage, signStructured } from './sign.ts'
export { signInWithWallet } from './signIn.ts'
export { WalletError, type WalletReason } from './walletError.ts'
export { WALLETS, type Wallet, type WalletId } from './wallets.ts'
export { watchAccount } from './watchAccount.ts'
