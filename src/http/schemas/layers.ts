import { z } from 'zod'
import { asOf, day, hex64, indexedHours, isoTime, pageOf, UNKNOWN_COUNT } from './common.ts'

const wei = z.string().regex(/^\d+$/).describe('wei as a decimal string')
const whole = z.string().regex(/^\d+$/).describe('a whole number as a decimal string')
const hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/)
  .describe('32 bytes as lower-case hex with 0x')
const address = z.string().describe('address with the checksum of its chain')
const party = z.strictObject({
  address,
  name: z.string().nullable().describe('by the catalog; null where it has none'),
})

export const layerBlockItem = z
  .strictObject({
    height: z.int(),
    hash,
    time: isoTime,
    miner: address.describe('miner, validator or sequencer'),
    txCount: z.int().describe('transactions, those of the system in'),
    failedTxCount: z.int().nullable(),
    logCount: z.int(),
    gasUsed: whole,
    gasLimit: whole,
    feeWei: wei
      .nullable()
      .describe('fees paid by its transactions, including L1 data fees; null if any is unknown'),
    l1FeeWei: wei,
  })
  .meta({ id: 'LayerBlock' })

const minedFor = z
  .strictObject({
    bitcoinHash: hex64.describe('hash of the Bitcoin header that was mined for it'),
    isTagged: z.boolean().describe('its coinbase commits to this block'),
    bitcoinHeight: z.int().nullable().describe('null if no Bitcoin block with that hash is indexed'),
  })
  .nullable()

const fullBlock = layerBlockItem
  .extend({
    prevHash: hash,
    isPrevHeld: z.boolean(),
    nextHeight: z.int().nullable().describe('null if the next block is not indexed'),
    systemTxCount: z.int(),
    unknownTxCount: z.int().describe('transactions of an unknown type; stored raw'),
    baseFeeWei: wei.nullable(),
    difficulty: whole,
    sizeBytes: z.int().nullable(),
    uncleCount: z.int(),
    isHashProved: z.boolean(),
    isTxsProved: z.boolean(),
    isReceiptsProved: z.boolean(),
    isTraced: z.boolean(),
    l1Height: whole.nullable().describe('OP Stack: block of the parent chain that it builds on'),
    l1Hash: hash.nullable(),
    minimumGasPriceWei: wei.nullable(),
    minedFor: minedFor.describe('Rootstock alone'),
  })
  .meta({ id: 'LayerBlockDetail' })

export const layerHeader = z
  .strictObject({
    height: z.int(),
    hash,
    prevHash: hash,
    time: isoTime,
    miner: address,
    difficulty: whole,
    gasUsed: whole,
    gasLimit: whole,
    uncleCount: z.int().nullable(),
    paidFeeWei: wei.nullable().describe('Rootstock: fees of all its transactions'),
    minedFor,
    source: z.string().describe('id of the source of the recording'),
  })
  .meta({
    id: 'LayerHeader',
    description: 'A header recorded without its block. The block’s content is not available.',
  })

export const layerBlock = z
  .strictObject({
    block: fullBlock.nullable().describe('null if only the header is available'),
    header: layerHeader.nullable(),
    asOf,
  })
  .meta({ id: 'LayerBlockAnswer' })

export const layerTxItem = z
  .strictObject({
    hash,
    height: z.int(),
    txIndex: z.int(),
    time: isoTime,
    kind: z.string().describe('by its envelope'),
    isSystem: z.boolean().describe('no sender'),
    isSuccess: z.boolean().nullable(),
    sender: party,
    recipient: party.nullable(),
    contract: party.nullable().describe('the contract that it made'),
    valueWei: wei,
    feeWei: wei.nullable(),
    selector: z.string().nullable(),
    functionName: z.string().describe('by the catalog; empty where it has no name for the selector'),
    logCount: z.int(),
  })
  .meta({ id: 'LayerTransaction' })

const token = z.strictObject({
  address,
  symbol: z.string().nullable(),
  name: z.string().nullable(),
  decimals: z.int().nullable(),
  isListed: z.boolean().describe('the catalog lists this very contract'),
})

export const layerTransfer = z
  .strictObject({
    txHash: hash,
    height: z.int(),
    logIndex: z.int(),
    item: z.int(),
    standard: z.string(),
    token,
    tokenId: whole.nullable(),
    amount: whole.describe('base units of the token'),
    sender: party.nullable().describe('null: it was made'),
    recipient: party.nullable().describe('null: it was destroyed'),
  })
  .meta({ id: 'LayerTransfer' })

const arg = z.strictObject({ name: z.string(), type: z.string(), value: z.string() })

export const layerEvent = z
  .strictObject({
    txHash: hash,
    height: z.int(),
    logIndex: z.int(),
    emitter: party,
    name: z.string().describe('empty where the catalog does not know the event'),
    event: z.string(),
    args: z.array(arg),
    topics: z.array(hash).describe('of unknown events alone'),
    data: z.string(),
  })
  .meta({ id: 'LayerEvent' })

export const layerTx = layerTxItem
  .extend({
    blockHash: z.string(),
    nonce: whole,
    type: z.int(),
    gasLimit: whole,
    gasUsed: whole.nullable(),
    gasPriceWei: wei.nullable(),
    maxFeeWei: wei.nullable(),
    priorityFeeWei: wei.nullable(),
    l1FeeWei: wei,
    operatorFeeWei: wei,
    mintWei: wei.nullable(),
    authorizationCount: z.int(),
    input: z.string().describe('hexadecimal with 0x; at most 20,000 bytes'),
    args: z.array(arg).nullable(),
    transfers: z.array(layerTransfer),
    events: z.array(layerEvent),
    created: z.array(z.strictObject({ contract: party, kind: z.string(), creator: party })),
    raw: z.string().describe('the node’s JSON of a transaction of an unknown type; empty for all others'),
    asOf,
  })
  .meta({ id: 'LayerTransactionDetail' })

export const layerAccount = z
  .strictObject({
    address,
    known: z.strictObject({ name: z.string(), role: z.string() }).nullable().describe('by the catalog'),
    isContract: z.boolean(),
    made: z
      .strictObject({
        height: z.int(),
        txHash: hash,
        kind: z.string(),
        creator: party,
        codeHash: z.string().nullable().describe('keccak-256 of its code, if traces have it'),
      })
      .nullable()
      .describe('null if the block that created it is not indexed, and for accounts'),
    token: token.nullable(),
    indexedHours,
    txCount: z.int().nullable().describe(UNKNOWN_COUNT),
    failedTxCount: z.int().nullable().describe(UNKNOWN_COUNT),
    feeWei: wei
      .nullable()
      .describe('of these transactions, wei as a decimal string; null where one is unknown'),
    firstHeight: z.int().nullable(),
    lastHeight: z.int().nullable(),
    logCount: z.int().nullable().describe(UNKNOWN_COUNT),
    functions: z.array(
      z.strictObject({
        selector: z.string(),
        name: z.string(),
        signature: z.string(),
        callCount: z.int(),
        failedCallCount: z.int().nullable().describe(UNKNOWN_COUNT),
        callerCount: z.int(),
      }),
    ),
    balances: z
      .array(
        z.strictObject({
          token,
          tokenId: whole.nullable(),
          balance: z
            .string()
            .describe('base units; negative if transfers before the indexed blocks are missing'),
          changedHeight: z.int(),
        }),
      )
      .describe('sums of indexed transfers'),
    contracts: z.array(z.strictObject({ contract: party, height: z.int(), kind: z.string() })),
    txs: z.array(layerTxItem),
    transfers: z.array(layerTransfer),
    events: z.array(layerEvent),
    asOf,
  })
  .meta({ id: 'LayerAccount' })

export const layerContracts = z
  .strictObject({
    hot: z
      .array(
        z.strictObject({
          contract: party,
          callCount: z.int(),
          failedCallCount: z.int().nullable().describe(UNKNOWN_COUNT),
          callerCount: z.int().describe('most callers of one day'),
          functions: z.array(z.string()),
        }),
      )
      .describe('the most called contracts of the latest seven days, the last of which is still open'),
    from: day.nullable().describe('first of these days; null if no block is indexed'),
    isWhole: z.boolean().describe('every block since then is indexed'),
    indexedHours,
    newest: z.array(
      z.strictObject({
        contract: party,
        creator: party,
        kind: z.string(),
        height: z.int(),
        time: isoTime,
        txHash: hash,
      }),
    ),
    asOf,
  })
  .meta({ id: 'LayerContracts' })

const named = z.strictObject({ name: z.string(), address, role: z.string() })

export const layerAbout = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    chainId: z.int(),
    is: z.string().describe('what it is'),
    onBitcoin: z.string().describe('what it does on Bitcoin'),
    stack: z.string(),
    coin: z.strictObject({ symbol: z.string(), name: z.string() }),
    genesisTime: isoTime.nullable(),
    blockSeconds: z.int().nullable(),
    takenAtItsWord: z
      .string()
      .nullable()
      .describe('why a node is, where the hash of a block cannot be recomputed'),
    endpoints: z.array(z.string()),
    explorers: z.array(
      z.strictObject({ name: z.string(), block: z.string(), tx: z.string(), address: z.string() }),
    ),
    systemContracts: z.array(named),
    tokens: z.array(
      z.strictObject({ symbol: z.string(), address, decimals: z.int().nullable(), kind: z.string() }),
    ),
    bridges: z.array(
      z.strictObject({
        name: z.string(),
        kind: z.string(),
        addresses: z.array(address),
        eventCount: z.int().describe('its decoded events'),
        note: z.string().nullable(),
      }),
    ),
    dapps: z.array(z.strictObject({ name: z.string(), kind: z.string(), contracts: z.array(named) })),
    reserve: z.strictObject({
      asset: z.string(),
      addresses: z.array(z.string()),
      how: z.string().nullable(),
      why: z.string().nullable().describe('why no address is available'),
      note: z.string().nullable(),
    }),
    links: z.array(z.strictObject({ label: z.string(), url: z.string() })),
  })
  .meta({ id: 'Layer', description: 'Catalog entry of an EVM layer.' })

export const layerBlockPage = pageOf(layerBlockItem)
export const layerHeaderPage = pageOf(layerHeader)
export const layerTxPage = pageOf(layerTxItem)

export const layerId = z.string().max(40).describe('an EVM layer, as its file in the catalog is named')
export const layerBlockId = z
  .string()
  .regex(/^(?:\d{1,9}|(?:0x)?[0-9a-fA-F]{64})$/, 'must be a height or a hash')
  .describe('height, or hash with or without 0x')
export const layerTxHash = z
  .string()
  .regex(/^(?:0x)?[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
  .describe('transaction hash, with or without 0x')
export const layerAddressId = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hexadecimal digits')
  .describe('address; capital letters are checked')
