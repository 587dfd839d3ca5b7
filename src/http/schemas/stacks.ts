import { z } from 'zod'
import { asOf, counterpart, hex64, indexedHours, isoTime, pageOf, UNKNOWN_COUNT } from './common.ts'

const ustx = z.string().regex(/^\d+$/).describe('micro-STX as a decimal string')
const amount = z.string().describe('base units as a decimal string; empty where there is none')
const satText = z.string().regex(/^\d+$/).describe('satoshis as a decimal string')

export const stacksBlockItem = z
  .strictObject({
    height: z.int(),
    hash: hex64.describe('index block hash'),
    time: isoTime,
    burnHeight: z.int().describe('height of the Bitcoin block of its tenure'),
    isNakamoto: z.boolean(),
    txCount: z.int(),
    failedTxCount: z.int().nullable().describe('null if the source of the block does not report it'),
    contractCount: z.int().nullable(),
    eventCount: z.int().nullable(),
    feeUstx: ustx,
    minerRewardUstx: ustx.nullable(),
  })
  .meta({ id: 'StacksBlock' })

const cost = z.strictObject({
  readCount: z.string(),
  readLength: z.string(),
  writeCount: z.string(),
  writeLength: z.string(),
  runtime: z.string(),
})

export const stacksBlock = stacksBlockItem
  .extend({
    prevHash: hex64,
    nextHeight: z.int().nullable().describe('null if the next block is not indexed'),
    isPrevHeld: z.boolean(),
    headerHash: hex64,
    consensusHash: z.string().nullable(),
    tenureHeight: z.int().nullable(),
    burnHash: hex64,
    minerTxid: hex64.nullable().describe('Bitcoin transaction of the block commit that won'),
    bitcoinOpCount: z.int(),
    microblockTxCount: z.int(),
    unknownTxCount: z.int().describe('undecoded transactions; stored raw'),
    rolledBackEventCount: z.int().nullable(),
    signerSignatureCount: z.int().nullable(),
    cycle: z.int().nullable().describe('reward cycle whose reward set it fixed'),
    cost: cost.nullable().describe('what running its transactions took (SIP-006)'),
    source: z
      .string()
      .describe('from whom it came: `events` of a node, `node` (its RPC), `api` (the public API)'),
    lacks: z.array(z.string()).describe('not reported by that source: null or absent, never guessed'),
    rewards: z.array(z.strictObject({ recipient: z.string(), coinbaseUstx: ustx, feeUstx: ustx })),
    counterparts: z.array(counterpart).describe('its block commit on Bitcoin, if indexed'),
    signers: z
      .strictObject({
        cycle: z.int().describe('reward cycle of its signers'),
        weightShare: z
          .number()
          .nullable()
          .describe('signed share of the total signer weight; null if either is not indexed'),
        isSetHeld: z.boolean().describe('whether the reward set of the cycle is indexed'),
        isTold: z.boolean().describe('whether the source of the block reports its signatures'),
        signers: z
          .array(
            z.strictObject({
              key: z.string().describe('public key, compressed'),
              weight: z.int().nullable().describe('slots; null for a key in no indexed set'),
              weightShare: z.number().nullable(),
              hasSigned: z.boolean(),
            }),
          )
          .describe('those who signed, by keys recovered from the signatures, and all others of the set'),
      })
      .nullable()
      .describe('who signed it; null before Nakamoto'),
    asOf,
  })
  .meta({ id: 'StacksBlockDetail' })

/** What happened, in words; parts that name an address, a contract or a token say which. */
export const stacksSentence = z
  .strictObject({
    text: z.string(),
    parts: z.array(
      z.strictObject({
        text: z.string(),
        principal: z.string().optional().describe('address or contract that it names'),
        asset: z.string().optional().describe('`STX`, or `contract::asset`'),
      }),
    ),
    from: z
      .enum(['pattern', 'standard', 'name', 'generic', 'kind'])
      .describe(
        '`pattern`: the catalog has this sentence; `standard`: that of SIP-009, SIP-010 or SIP-013; `name`: the words of the function’s name and of its arguments; `generic`: the function with its arguments; `kind`: the kind of transaction',
      ),
    protocol: z
      .string()
      .nullable()
      .describe('slug of the protocol that owns the contract, if in the catalog'),
  })
  .meta({ id: 'StacksSentence' })

export const stacksTxItem = z
  .strictObject({
    txid: hex64,
    height: z.int(),
    txIndex: z.int(),
    time: isoTime,
    kind: z.string(),
    status: z.string(),
    isSuccess: z.boolean().nullable().describe('null if the source of its block does not report it'),
    sender: z.string().describe('empty if unknown'),
    senderName: z.string().nullable().describe('BNS name shown with the sender’s address'),
    feeUstx: ustx,
    recipient: z.string().nullable(),
    amountUstx: ustx.nullable(),
    contract: z.string().nullable(),
    functionName: z.string(),
    eventCount: z.int().nullable(),
    sentence: stacksSentence,
  })
  .meta({ id: 'StacksTransaction' })

export const stacksTransfer = z.strictObject({
  eventIndex: z.int(),
  txid: hex64,
  standard: z.string().describe('stx, ft or nft'),
  action: z.string().describe('transfer, mint or burn'),
  asset: z.string(),
  sender: z.string().nullable(),
  recipient: z.string().nullable(),
  amount,
  tokenRepr: z.string(),
  words: z.string().describe('amount and token, in the token’s decimals if known'),
  senderName: z.string().nullable().describe('BNS name shown with the sender’s address'),
  recipientName: z.string().nullable(),
})

export const stacksPrint = z.strictObject({
  eventIndex: z.int(),
  txid: hex64,
  contract: z.string(),
  event: z.string(),
  repr: z.string(),
  sentence: stacksSentence,
})

export const stacksTx = stacksTxItem
  .extend({
    blockHash: z.string(),
    sponsor: z.string().nullable(),
    authType: z.string(),
    hashMode: z.string(),
    nonce: z.string(),
    anchorMode: z.string(),
    postConditionMode: z.string(),
    postConditions: z.array(
      z.strictObject({
        assetType: z.string(),
        principal: z.string(),
        code: z.string(),
        asset: z.string(),
        amount,
        tokenRepr: z.string(),
      }),
    ),
    memo: z.string(),
    resultRepr: z.string(),
    vmError: z.string(),
    clarityVersion: z.int().nullable(),
    sizeBytes: z.int(),
    cost: cost.nullable(),
    args: z
      .array(
        z.strictObject({
          index: z.int(),
          name: z.string().describe('from the interface of the contract; empty if not indexed'),
          declared: z.string(),
          path: z.string().describe('fields of a tuple that lead to the value'),
          type: z.string(),
          repr: z.string(),
        }),
      )
      .describe('leaf by leaf: tuples are taken apart'),
    transfers: z.array(stacksTransfer),
    prints: z.array(stacksPrint),
    locks: z.array(
      z.strictObject({
        stacker: z.string(),
        amountUstx: ustx,
        unlockHeight: z.int(),
        contract: z.string(),
      }),
    ),
    bitcoinOp: z.string().describe('JSON of an operation made on Bitcoin; empty for all others'),
    counterparts: z
      .array(counterpart)
      .describe('Bitcoin transactions that it carries out or reports, if indexed'),
    asOf,
  })
  .meta({ id: 'StacksTransactionDetail' })

const recorded = z
  .array(
    z.strictObject({
      time: isoTime,
      kind: z.string().describe('in the words of the history'),
      purpose: z.string().describe('function that was called, or memo; empty without'),
      sentAsset: z.string().nullable(),
      sentAmount: z.string().nullable().describe('base units, micro-STX of STX; null where nothing went out'),
      recipient: z.string().nullable().describe('null for contract calls'),
      receivedAsset: z.string().nullable(),
      receivedAmount: z.string().nullable().describe('likewise of what came in'),
      sender: z.string().nullable().describe('null for contract calls'),
      txid: hex64,
    }),
  )
  .describe(
    'latest movements from recorded histories of the SIP-031 endowment, whether or not their blocks are indexed',
  )

export const stacksContract = z
  .strictObject({
    contract: z.string(),
    deployer: z.string(),
    made: z
      .strictObject({
        height: z.int(),
        txid: hex64,
        clarityVersion: z.int().nullable(),
        epoch: z.string(),
      })
      .nullable()
      .describe('null if the block that created it is not indexed'),
    sourceCode: z.string().nullable(),
    isInterfaceHeld: z
      .boolean()
      .describe('where it is not, the functions are those that were called, without their arguments'),
    indexedHours,
    functions: z.array(
      z.strictObject({
        name: z.string(),
        isReadOnly: z.boolean(),
        args: z.array(z.strictObject({ name: z.string(), type: z.string() })),
        callCount: z.int().nullable().describe(UNKNOWN_COUNT),
        failedCallCount: z.int().nullable().describe(UNKNOWN_COUNT),
      }),
    ),
    txs: z.array(stacksTxItem),
    transfers: z.array(stacksTransfer),
    prints: z.array(stacksPrint),
    recorded,
    asOf,
  })
  .meta({ id: 'StacksContract' })

const nameFields = {
  name: z.string(),
  owner: z.string(),
  version: z.int().describe('of BNS: 1 or 2'),
  isPrimary: z.boolean().describe('it is shown with the address of its owner'),
  height: z.int().describe('block in which it got there'),
  time: isoTime,
}
export const stacksNames = z
  .strictObject({
    names: z.array(z.string()).describe('the one shown with the address first'),
    from: z
      .enum(['blocks', 'node', 'nowhere'])
      .describe('indexed blocks, a Stacks node, or neither: none is indexed and no node is configured'),
  })
  .meta({ id: 'StacksNames' })

export const stacksName = z.strictObject({ ...nameFields, asOf }).meta({ id: 'StacksName' })
export const stacksNameId = z
  .string()
  .regex(/^[a-z0-9_-]{1,48}\.[a-z0-9_-]{1,20}$/i)
  .describe('a name of BNS, as `muneeb.btc`')

export const stacksAddress = z
  .strictObject({
    address: z.string(),
    names: z.array(z.strictObject(nameFields)).describe('names of BNS that it has, the one beside it first'),
    indexedHours,
    txCount: z.int().nullable().describe(UNKNOWN_COUNT),
    failedTxCount: z.int().nullable().describe(UNKNOWN_COUNT),
    feeUstx: ustx.nullable().describe(UNKNOWN_COUNT),
    receivedUstx: ustx.nullable().describe(UNKNOWN_COUNT),
    sentUstx: ustx.nullable().describe(UNKNOWN_COUNT),
    firstHeight: z.int().nullable(),
    lastHeight: z.int().nullable(),
    contracts: z.array(z.strictObject({ contract: z.string(), height: z.int() })),
    txs: z.array(stacksTxItem),
    transfers: z.array(stacksTransfer),
    recorded,
    asOf,
  })
  .meta({ id: 'StacksAddress' })

export const burnBlockItem = z
  .strictObject({
    height: z.int().describe('Bitcoin height'),
    hash: hex64,
    burnSat: satText.nullable().describe('sent to burn addresses; null if not reported'),
    payoutSat: satText.nullable().describe('paid out to stackers; null likewise'),
    payoutCount: z.int().nullable(),
    stacksHeight: z.int().nullable().describe('Stacks block that it elected; null if none is indexed'),
    minerTxid: z.string().nullable(),
  })
  .meta({ id: 'StacksBurnBlock' })

export const stacksBlockPage = pageOf(stacksBlockItem)
export const stacksTxPage = pageOf(stacksTxItem)
export const burnBlockPage = pageOf(burnBlockItem)

export const contractId = z
  .string()
  .regex(/^S[0-9A-Z]{20,50}\.[a-zA-Z][a-zA-Z0-9_-]{0,127}$/, 'must be written address.name')
  .describe('contract, as `address.name`')
export const stacksAddressId = z
  .string()
  .regex(/^S[0-9A-Z]{20,50}$/, 'must be an address of Stacks')
  .describe('address')
