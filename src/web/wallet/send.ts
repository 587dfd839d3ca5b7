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

/** The most that may leave the sender's hands in a call; with none of it the call can move nothing. */
export type Limit =
  | { readonly of: 'STX'; readonly most: bigint }
  | { readonly of: 'token'; readonly asset: `${string}.${string}::${string}`; readonly most: bigint }

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
      return sentIn(
        await askWallet(userData.walletId, 'stx_transferStx', {
          recipient,
          amount: String(amount),
          memo,
          network: 'mainnet',
          postConditionMode: 'deny',
        }),
        userData,
      )
    },
    outcome,
  )

/** Has the connected wallet call a public function. What is not within `limits` cannot leave the sender (post-conditions, mode Deny). */
export const callContract = (
  {
    contract,
    functionName,
    args,
    limits = [],
  }: {
    contract: `${string}.${string}`
    functionName: string
    args: readonly ClarityInput[]
    limits?: readonly Limit[]
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
      return sentIn(
        await askWallet(userData.walletId, 'stx_callContract', {
          contract,
          functionName,
          functionArgs: await Promise.all(args.map(hexOf)),
          postConditions: await Promise.all(limits.map(limit => limitHex(limit, userData.address))),
          postConditionMode: 'deny',
          network: 'mainnet',
        }),
        userData,
      )
    },
    outcome,
  )

async function limitHex(limit: Limit, address: string): Promise<string> {
  const { postConditionToHex } = await import('./crypto.ts')
  const amount = String(limit.most)
  return postConditionToHex(
    limit.of === 'STX'
      ? { type: 'stx-postcondition', address, condition: 'lte', amount }
      : { type: 'ft-postcondition', address, condition: 'lte', amount, asset: limit.asset },
  )
}

/** What was sent, by the account of the session; by another one, the session ends. */
async function sentIn(answer: unknown, { address, walletId }: WalletUser): Promise<Sent> {
  // Fordefi and others write the id in another case.
  const txid = (textIn(answer, 'txid') ?? textIn(answer, 'txId') ?? '').replace(/^0x/i, '').toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(txid))
    throw new WalletError('answer', 'The wallet did not say which transaction it sent.', {
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
