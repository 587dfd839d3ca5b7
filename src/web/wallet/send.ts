import { rejectionIn, rejectionOf } from '#kernel/stacksRejections.ts'
import { demandIdentifier, demandStringLength, demandUint, MEMO_BYTES } from '#kernel/stacksRules.ts'
import { isMultisig } from './accounts.ts'
import { demandContractAddress } from './addressRule.ts'
import { askWallet, textIn } from './askWallet.ts'
import { type ClarityInput, hexOf } from './clarity.ts'
import { type Outcome, runRequest } from './requests.ts'
import type { WalletUser } from './session.ts'
import { accountChanged, connected } from './sign.ts'
import { WalletError } from './walletError.ts'

export type Sent = {
  /** 64 hex digits without a mark. */
  readonly txid: string
}

/** A post-condition: what `from` (null: the sender) must send at most, exactly or at least; an NFT must leave. With any other movement nothing of the call counts. */
export type Limit =
  | { readonly of: 'STX'; readonly from: string | null; readonly is: LimitCode; readonly amount: bigint }
  | {
      readonly of: 'token'
      readonly from: string | null
      readonly asset: Asset
      readonly is: LimitCode
      readonly amount: bigint
    }
  | { readonly of: 'NFT'; readonly from: string | null; readonly asset: Asset; readonly id: bigint }

export type LimitCode = keyof typeof CODES
type Asset = `${string}.${string}::${string}`
const CODES = { 'at most': 'lte', exactly: 'eq', 'at least': 'gte' } as const

/** Has the connected wallet send STX (`amountUstx`, micro-STX, in digits); the transfer itself states its amount, and nothing else may leave. */
export const transferStx = (
  { recipient, amountUstx, memo = '' }: { recipient: string; amountUstx: string; memo?: string },
  outcome?: Outcome<Sent>,
): Promise<Sent | undefined> =>
  runRequest(
    'transaction',
    async () => {
      const { userData } = connected()
      await demandContractAddress(recipient)
      demandStringLength(memo, MEMO_BYTES)
      const amount = demandUint(amountUstx)
      if (amount === 0n) throw new WalletError('answer', 'An amount above zero is needed.')
      if (recipient === userData.address)
        throw new WalletError('answer', 'The sender cannot be the recipient.')
      return sentBy(userData, 'stx_transferStx', {
        recipient,
        amount: String(amount),
        memo,
        network: 'mainnet',
        postConditionMode: 'deny',
      })
    },
    outcome,
  )

/**
 * Has the connected wallet call a public function. Unless `isOpen`, nothing may move but what `limits` name, whoever sends it
 * (post-conditions, mode Deny). Source: SIP-005, stacks-core `check_postconditions`.
 */
export const callContract = (
  {
    contract,
    functionName,
    args,
    limits = [],
    isOpen = false,
  }: {
    contract: `${string}.${string}`
    functionName: string
    args: readonly ClarityInput[]
    limits?: readonly Limit[]
    /** Further movements are let through (mode Allow). */
    isOpen?: boolean
  },
  outcome?: Outcome<Sent>,
): Promise<Sent | undefined> =>
  runRequest(
    'transaction',
    async () => {
      const { userData } = connected()
      const [address = '', name = ''] = contract.split('.')
      await demandContractAddress(address)
      demandIdentifier(name)
      demandIdentifier(functionName)
      return sentBy(userData, 'stx_callContract', {
        contract,
        functionName,
        functionArgs: await Promise.all(args.map(hexOf)),
        postConditions: await Promise.all(limits.map(limit => limitHex(limit, userData.address))),
        postConditionMode: isOpen ? 'allow' : 'deny',
        network: 'mainnet',
      })
    },
    outcome,
  )

async function limitHex(limit: Limit, sender: string): Promise<string> {
  const { Cl, postConditionToHex } = await import('./crypto.ts')
  const address = limit.from ?? sender
  if (limit.of === 'NFT')
    return postConditionToHex({
      type: 'nft-postcondition',
      address,
      condition: 'sent',
      asset: limit.asset,
      assetId: Cl.uint(limit.id),
    })
  const of = { address, condition: CODES[limit.is], amount: String(limit.amount) }
  return postConditionToHex(
    limit.of === 'STX'
      ? { type: 'stx-postcondition', ...of }
      : { type: 'ft-postcondition', ...of, asset: limit.asset },
  )
}

/** Asks the wallet to sign and send. Where a node did not take it and the wallet says why, the error says so in whole sentences: `wallet.rejected`. */
async function sentBy(user: WalletUser, method: string, params: object): Promise<Sent> {
  try {
    return await sentIn(await askWallet(user.walletId, method, params), user)
  } catch (thrown) {
    const reason = thrown instanceof WalletError ? rejectionIn(thrown.message) : undefined
    if (reason === undefined) throw thrown
    const { what, why, todo } = rejectionOf(reason)
    throw new WalletError('rejected', `${what} ${why}`, { hint: todo, cause: thrown, facts: { reason } })
  }
}

/** What was sent, by the account of the session; by another one, the session ends. */
async function sentIn(answer: unknown, { address, walletId }: WalletUser): Promise<Sent> {
  // Fordefi and others write the id in another case.
  const txid = (textIn(answer, 'txid') ?? textIn(answer, 'txId') ?? '').replace(/^0x/i, '').toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(txid))
    throw new WalletError('answer', 'The wallet did not return the transaction id.', {
      hint: 'Look into the wallet before you send it again.',
    })
  const transaction = textIn(answer, 'transaction')
  if (transaction !== undefined && !isMultisig(address) && (await senderOf(transaction)) !== address)
    await accountChanged(walletId)
  return { txid }
}

async function senderOf(transaction: string): Promise<string | undefined> {
  const { addressFromVersionHash, addressToString, deserializeTransaction } = await import('./crypto.ts')
  const { signer } = deserializeTransaction(transaction.replace(/^0x/i, '')).auth.spendingCondition
  return addressToString(addressFromVersionHash(22, signer))
}
