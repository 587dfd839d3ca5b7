import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { Command } from 'commander'
import {
  createEventIndex,
  type EventIndex,
  type EvmBlock,
  type EvmChain,
  type EvmCodec,
  type EvmLog,
  type EvmReceipt,
  type EvmTransaction,
  eventsOf,
  evmChainOf,
  feeOf,
  type Hex,
  l1AttributesOf,
  openEvmCodec,
} from '#chains/evm/index.ts'
import { AssayError, ConfigError, sentenceOf } from '#kernel/errors.ts'
import { readEvmCatalog } from '#metrics/evmCatalog.ts'

type Options = { chain: string; tx: boolean; senders: boolean }
type Tools = { readonly codec: EvmCodec; readonly events: EventIndex; readonly options: Options }

const CATALOG = fileURLToPath(new URL('../../catalog', import.meta.url))
/** What is no layer of the catalogue: any chain with Ethereum's header, and Rootstock's test network. */
const OTHERS: Record<string, EvmChain> = {
  ethereum: { chainId: 1, headerForm: 'standard', checksumChainId: null },
  'rootstock-testnet': { chainId: 31, headerForm: 'rootstock', checksumChainId: 31 },
}

/**
 * `assay decode evm FILE…`: one JSON object for each input on one line. An input is a block, receipts or a transaction as a
 * node answers them, the answers of one block together, or a raw transaction in hexadecimal; a file holds one, or one a
 * line. A bad input prints `{error, field, offset}` and the rest goes on.
 */
async function decodeFiles(files: readonly string[], options: Options): Promise<void> {
  const evm = await readEvmCatalog(CATALOG)
  const facts = evm.chains.find(({ id }) => id === options.chain)
  const chain = facts === undefined ? OTHERS[options.chain] : evmChainOf(facts)
  if (chain === undefined)
    throw new ConfigError('config.chain', `There is no EVM chain "${options.chain}".`, {
      hint: `Known are ${[...evm.chains.map(({ id }) => id), ...Object.keys(OTHERS)].join(', ')}.`,
    })
  const definitions = facts === undefined ? evm.events : eventsOf(evm.events, facts)
  const tools = { codec: openEvmCodec(chain), events: createEventIndex(definitions), options }
  for (const file of files)
    for (const [name, input] of await inputsOf(file)) print(lineOf(name, () => decodeInput(input, tools)))
}

const print = (line: unknown): void => {
  process.stdout.write(
    `${JSON.stringify(line, (_, value) => (typeof value === 'bigint' ? plain(value) : value))}\n`,
  )
}

/** Exact in JSON: a number while every reader keeps it, a text beyond 2^53. */
const plain = (value: bigint): number | string =>
  value >= -9_007_199_254_740_991n && value <= 9_007_199_254_740_991n ? Number(value) : value.toString()

/** Inputs of a file by the names they get in errors: the whole of it, or its lines. */
async function inputsOf(file: string): Promise<[string, string][]> {
  try {
    const bytes = await readFile(file)
    const text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString('utf8').trim()
    const lines = text.split('\n').filter(line => line.trim() !== '')
    const isOfLines =
      lines.length > 1 && lines.every(line => /^\s*(\{.*\}|\[.*\]|0x[0-9a-fA-F]*)\s*$/.test(line))
    return isOfLines ? lines.map((line, i) => [`${file}:${i + 1}`, line]) : [[file, text]]
  } catch (thrown) {
    return [[file, `\0${sentenceOf(thrown)}`]]
  }
}

function lineOf(name: string, decode: () => unknown): unknown {
  try {
    return decode()
  } catch (thrown) {
    process.exitCode = 1
    const { path, offset } = thrown instanceof AssayError ? thrown.facts : {}
    return {
      error: `${name}: ${sentenceOf(thrown)}`,
      field: typeof path === 'string' ? path : null,
      offset: typeof offset === 'number' ? offset : null,
    }
  }
}

function decodeInput(input: string, tools: Tools): unknown {
  if (input.startsWith('\0')) throw new AssayError('cli.file', input.slice(1))
  if (input.startsWith('0x')) return rawTransaction(input, tools)
  const answer = answerOf(JSON.parse(input))
  if (Array.isArray(answer))
    return { receipts: answer.map(one => receiptJson(tools.codec.readReceipt(one), tools)) }
  if (isObject(answer) && isObject(answer.block)) return blockJson(answer.block, answer.receipts, tools)
  if (isObject(answer) && 'parentHash' in answer) return blockJson(answer, undefined, tools)
  if (isObject(answer) && 'transactionHash' in answer)
    return receiptJson(tools.codec.readReceipt(answer), tools)
  if (isObject(answer) && 'hash' in answer) return txJson(tools.codec.readTransaction(answer), null, tools)
  throw new AssayError('cli.input', 'This is no block, no receipts and no transaction of an EVM node.')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a JSON-RPC answer holds; other JSON as it is. */
const answerOf = (value: unknown): unknown =>
  isObject(value) && 'result' in value && !('hash' in value) ? value.result : value

function rawTransaction(input: string, { codec }: Tools): unknown {
  if (!/^0x(?:[0-9a-fA-F]{2})+$/.test(input))
    throw new AssayError('cli.input', 'A raw transaction is 0x and pairs of hexadecimal digits.')
  const { raw, deposit, ...tx } = codec.decodeTransaction(Buffer.from(input.slice(2), 'hex'))
  return {
    ...tx,
    ...(deposit && { deposit }),
    from: codec.checksum(tx.from),
    to: tx.to && codec.checksum(tx.to),
  }
}

function blockJson(answer: unknown, receipts: unknown, tools: Tools): unknown {
  const { codec, options } = tools
  const block = codec.readBlock({ block: answer, receipts })
  const proofs = codec.checkBlock(block, { senders: options.senders })
  const { header, transactions, uncles, withdrawals } = block
  const { logsBloom, ...fields } = header
  const [first] = transactions
  const l1 = first === undefined ? null : l1AttributesOf(first)
  const mining = codec.mergedMining(block)
  return {
    ...fields,
    miner: codec.checksum(header.miner),
    transactionCount: transactions.length,
    kinds: countsOf(transactions.map(({ kind }) => kind)),
    logCount: block.receipts?.reduce((sum, { logs }) => sum + logs.length, 0) ?? null,
    feesWei: feesOf(block),
    uncles,
    withdrawalCount: withdrawals?.length ?? null,
    ...(l1 && { l1 }),
    ...(mining && { mergedMining: mining }),
    proved: {
      hash: proofs.hash,
      transactions: proofs.transactions,
      receipts: proofs.receipts,
      senders: proofs.senderCount,
    },
    ...(options.tx && {
      transactions: transactions.map((tx, i) => txJson(tx, block.receipts?.[i] ?? null, tools)),
    }),
  }
}

const countsOf = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

function feesOf({ transactions, receipts }: EvmBlock): bigint | null {
  if (receipts === null) return null
  let sum = 0n
  for (const [i, tx] of transactions.entries()) sum += feeOf(tx, receipts[i]!)?.totalWei ?? 0n
  return sum
}

function txJson(tx: EvmTransaction, receipt: EvmReceipt | null, tools: Tools): unknown {
  const { codec } = tools
  const {
    raw,
    deposit,
    signature,
    accessList,
    blobVersionedHashes,
    authorizations,
    blockHash,
    blockNumber,
    ...fields
  } = tx
  return {
    ...fields,
    from: codec.checksum(tx.from),
    to: tx.to && codec.checksum(tx.to),
    ...(accessList.length > 0 && { accessList }),
    ...(blobVersionedHashes.length > 0 && { blobVersionedHashes }),
    ...(authorizations.length > 0 && {
      authorizations: authorizations.map(one => ({ ...one, authority: codec.recoverAuthority(one) })),
    }),
    ...(deposit && { deposit }),
    ...(raw !== null && { raw: JSON.parse(raw) }),
    ...(receipt && { fee: feeOf(tx, receipt), receipt: receiptJson(receipt, tools) }),
  }
}

function receiptJson(receipt: EvmReceipt, tools: Tools): unknown {
  const { logsBloom, logs, blockHash, blockNumber, l1, ...fields } = receipt
  return { ...fields, ...(l1 && { l1 }), logs: logs.map(log => logJson(log, tools)) }
}

function logJson({ address, topics, data, logIndex }: EvmLog, { codec, events }: Tools): unknown {
  const event = events.decode({ address, topics, data })
  const emitter: Hex = codec.checksum(address)
  if (event === null) return { logIndex, address: emitter, topics, data }
  return { logIndex, address: emitter, event: event.id, kind: event.kind, args: event.args }
}

export const decodeEvmCommand = (): Command =>
  new Command('evm')
    .description('decode answers of EVM nodes (blocks, receipts, transactions) and raw transactions')
    .argument('<files...>', 'files of JSON or of hexadecimal, one input each or one a line; .gz too')
    .option('--chain <chain>', 'layer of the catalogue, ethereum or rootstock-testnet', 'ethereum')
    .option('--tx', 'print the transactions with their receipts and events too', false)
    .option('--no-senders', 'do not recover senders from signatures')
    .action(decodeFiles)
