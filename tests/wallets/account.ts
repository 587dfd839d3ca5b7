import { makeAuthResponse } from '@stacks/auth'
import { bytesToHex } from '@stacks/common'
import { hashMessage } from '@stacks/encryption'
import {
  createAddress,
  deserializeCV,
  getAddressFromPrivateKey,
  makeContractCall,
  makeSTXTokenTransfer,
  privateKeyToPublic,
  signMessageHashRsv,
  signStructuredData,
} from '@stacks/transactions'

/** What a wallet refuses, or does not know. */
export type RpcFault = { readonly code: number; readonly message: string }

export type MadeWallet = {
  readonly address: string
  /** Version and hash of it. */
  readonly addressParts: { readonly version: number; readonly hash: string }
  readonly publicKey: string
  /** What the wallet answers to a request by JSON-RPC, signed for real. Throws an `RpcFault`. */
  answer(method: string, params: Params): Promise<object>
  /** What it answers to a token that asks for sign-in. */
  authResponse(request: string): Promise<string>
}

/** Of a request; each method reads its own. */
export type Params = Readonly<Record<string, unknown>>

export type MadeWalletOptions = {
  /** 32 bytes and the mark of a compressed public key, hex. */
  readonly key: string
  readonly hubUrl?: string | undefined
  readonly profileUrl?: string | undefined
  readonly associationToken?: string | undefined
  readonly network?: 'mainnet' | 'testnet' | undefined
}

/** Key of the application that the wallet gives to Assay: another one than that of the address. */
export const APP_KEY = '9f'.repeat(32)

const BTC = 'bc1q530dz4h80kwlzywlhx2qn0k6vdtftd93c499yq'
const text = (value: unknown): string => String(value ?? '')

/** A wallet of one account whose signatures are real; its transactions have a nonce and a fee of their own and are sent nowhere. */
export function makeWallet(options: MadeWalletOptions): MadeWallet {
  const { key, network = 'mainnet' } = options
  const publicKey = privateKeyToPublic(key) as string
  const address = getAddressFromPrivateKey(key, network)

  async function answer(method: string, params: Params): Promise<object> {
    switch (method) {
      case 'getAddresses':
      case 'stx_getAddresses':
      case 'wallet_connect':
        return {
          addresses: [
            { symbol: 'BTC', type: 'p2wpkh', purpose: 'payment', address: BTC, publicKey },
            { symbol: 'STX', purpose: 'stacks', addressType: 'stacks', address, publicKey },
          ],
        }
      case 'stx_signMessage': {
        const messageHash = bytesToHex(hashMessage(text(params.message)))
        return { signature: signMessageHashRsv({ messageHash, privateKey: key }), publicKey }
      }
      case 'stx_signStructuredMessage': {
        const domain = deserializeCV(text(params.domain))
        if (domain.type !== 'tuple') throw fault(-32_602, 'Invalid parameters.')
        const message = deserializeCV(text(params.message))
        return { signature: signStructuredData({ message, domain, privateKey: key }), publicKey }
      }
      case 'stx_transferStx': {
        const tx = await makeSTXTokenTransfer({
          recipient: text(params.recipient),
          amount: BigInt(text(params.amount)),
          memo: text(params.memo),
          senderKey: key,
          fee: 180n,
          nonce: 0n,
          network,
        })
        return { txid: tx.txid(), transaction: tx.serialize() }
      }
      case 'stx_callContract': {
        const [contractAddress = '', contractName = ''] = text(params.contract).split('.')
        const args = Array.isArray(params.functionArgs) ? params.functionArgs : []
        const conditions = Array.isArray(params.postConditions) ? params.postConditions : []
        const tx = await makeContractCall({
          contractAddress,
          contractName,
          functionName: text(params.functionName),
          functionArgs: args.map(one => deserializeCV(text(one))),
          postConditions: conditions.map(text),
          postConditionMode: params.postConditionMode === 'allow' ? 'allow' : 'deny',
          senderKey: key,
          fee: 180n,
          nonce: 0n,
          network,
          validateWithAbi: false,
        })
        return { txid: tx.txid(), transaction: tx.serialize() }
      }
      default:
        throw fault(-32_601, `"${method}" is not supported.`)
    }
  }

  const { version, hash160: hash } = createAddress(address)
  return {
    address,
    addressParts: { version, hash },
    publicKey,
    answer,
    authResponse(request) {
      const asked = JSON.parse(atob((request.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
      const profile = { stxAddress: { mainnet: address, testnet: getAddressFromPrivateKey(key, 'testnet') } }
      return makeAuthResponse(
        '5a'.repeat(32),
        network === 'mainnet' ? profile : { stxAddress: { testnet: profile.stxAddress.testnet } },
        { profileUrl: options.profileUrl ?? '' },
        null,
        APP_KEY,
        undefined,
        asked.public_keys[0],
        options.hubUrl ?? null,
        null,
        options.associationToken ?? null,
      )
    },
  }
}

export const fault = (code: number, message: string): RpcFault => ({ code, message })
