import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { createEventIndex, type EvmChain, eventsOf, evmChainOf, openEvmCodec } from '#chains/evm/index.ts'
import { jsonInteger } from '#chains/hex.ts'
import { AssayError, ConfigError } from '#kernel/errors.ts'
import { readEvmCatalog } from '#metrics/evmCatalog.ts'
import {
  bytesOfHex,
  type DecodeInput,
  linesOf,
  linesOfInput,
  printDecoded,
  unreadable,
} from './decodedLines.ts'
import { blockJson, type EvmTools, rawTransactionJson, receiptJson, txJson } from './evmJson.ts'
import { operatorCatalog } from './operatorCatalog.ts'

type Options = { readonly chain: string; readonly tx: boolean; readonly senders: boolean }

/** What is no layer of the catalogue: any chain with Ethereum's header, and Rootstock's test network. */
const OTHERS: ReadonlyMap<string, EvmChain> = new Map([
  ['ethereum', { chainId: 1, headerForm: 'standard', checksumChainId: null }],
  ['rootstock-testnet', { chainId: 31, headerForm: 'rootstock', checksumChainId: 31 }],
])

/**
 * `assay decode evm FILE|HEX|-`: one JSON object an input on one line. An input is a block, receipts or a transaction as a
 * node answers them, `{block, receipts}` of one block together, or a raw transaction in hexadecimal.
 */
export async function decodeEvm(given: readonly string[], options: Options): Promise<void> {
  const tools = await openTools(options)
  await printDecoded(inputsOf(given, tools), decoded => JSON.stringify(decoded, exactInteger))
}

const exactInteger = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? jsonInteger(value) : value

async function openTools({ chain: id, tx, senders }: Options): Promise<EvmTools> {
  const layers = await readEvmCatalog(operatorCatalog())
  const facts = layers.chains.find(layer => layer.id === id)
  const chain = facts === undefined ? OTHERS.get(id) : evmChainOf(facts)
  if (chain === undefined)
    throw new ConfigError('config.chain', `There is no EVM chain "${id}".`, {
      hint: `Available: ${[...layers.chains.map(layer => layer.id), ...OTHERS.keys()].join(', ')}.`,
    })
  const definitions = facts === undefined ? layers.events : eventsOf(layers.events, facts)
  return {
    codec: openEvmCodec(chain),
    events: createEventIndex(definitions),
    withTransactions: tx,
    withSenders: senders,
  }
}

async function* inputsOf(given: readonly string[], tools: EvmTools): AsyncGenerator<DecodeInput> {
  for (const argument of given) {
    if (argument === '-') yield* ofLines(linesOfInput(), tools)
    else if (HEX.test(argument)) yield { name: null, decode: () => decodeText(argument, tools) }
    else yield* inputsOfFile(argument, tools)
  }
}

const HEX = /^0x[0-9a-f]*$/i
const ONE_LINE = /^\s*(?:\{.*\}|\[.*\]|0x[0-9a-f]*)\s*$/i

/** A file holds one input, or one on each of its lines. */
async function* inputsOfFile(path: string, tools: EvmTools): AsyncGenerator<DecodeInput> {
  let content: Buffer
  try {
    content = await readFile(path)
    if (content[0] === 0x1f && content[1] === 0x8b) content = gunzipSync(content)
  } catch (thrown) {
    yield unreadable(path, thrown)
    return
  }
  const text = content.toString('utf8').trim()
  const lines = text.split('\n').filter(line => line.trim() !== '')
  if (lines.length > 1 && lines.every(line => ONE_LINE.test(line)))
    yield* ofLines(
      linesOf(text.split('\n'), number => `${path}:${number}`),
      tools,
    )
  else yield { name: path, decode: () => decodeText(text, tools) }
}

async function* ofLines(lines: ReturnType<typeof linesOf>, tools: EvmTools): AsyncGenerator<DecodeInput> {
  for await (const { name, text } of lines) yield { name, decode: () => decodeText(text, tools) }
}

function decodeText(text: string, tools: EvmTools): unknown {
  if (text.startsWith('0x')) return rawTransactionJson(bytesOfHex(text), tools)
  const answer = resultOf(parsed(text))
  if (Array.isArray(answer))
    return { receipts: answer.map(one => receiptJson(tools.codec.readReceipt(one), tools)) }
  if (isObject(answer)) {
    if (isObject(answer.block)) return blockJson(answer.block, answer.receipts, tools)
    if ('parentHash' in answer) return blockJson(answer, undefined, tools)
    if ('transactionHash' in answer) return receiptJson(tools.codec.readReceipt(answer), tools)
    if ('hash' in answer) return txJson(tools.codec.readTransaction(answer), null, tools)
  }
  throw new AssayError('cli.input', 'This is no block, no receipts and no transaction of an EVM node.')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AssayError('cli.input', 'This is neither JSON nor a raw transaction in hexadecimal (0x…).', {
      cause,
    })
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a JSON-RPC answer holds; other JSON as it is. */
const resultOf = (value: unknown): unknown =>
  isObject(value) && 'result' in value && !('hash' in value) ? value.result : value
