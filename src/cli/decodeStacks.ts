import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Command } from 'commander'
import { openStacksCodec, transactionJson, valueJson } from '#chains/stacks/index.ts'
import { AssayError, sentenceOf } from '#kernel/errors.ts'

type Options = { value: boolean }
/** One input: how to get at its bytes, and what it is called where it is one of several. */
type Input = { readonly name: string | null; bytes(): Uint8Array }

/**
 * `assay decode stacks FILE|HEX|-`: one JSON object an input on one line; a bad input prints `{error, offset}` and the rest goes on.
 */
async function decodeInputs(given: readonly string[], { value }: Options): Promise<void> {
  const codec = openStacksCodec()
  const decoded = value
    ? (bytes: Uint8Array) => valueJson(codec.decodeValue(bytes))
    : (bytes: Uint8Array) => transactionJson(codec.decodeTransaction(bytes))
  for await (const { name, bytes } of inputsOf(given)) {
    let line: unknown
    try {
      line = decoded(bytes())
    } catch (thrown) {
      process.exitCode = 1
      const offset =
        thrown instanceof AssayError && typeof thrown.facts.offset === 'number' ? thrown.facts.offset : null
      line = { error: `${name === null ? '' : `${name}: `}${sentenceOf(thrown)}`, offset }
    }
    if (!process.stdout.write(`${JSON.stringify(line)}\n`)) await once(process.stdout, 'drain')
  }
}

const HEX = /^(?:0x)?[0-9a-f]*$/i
/** No serialized transaction or value begins with one of these: such a file holds hex. */
const HEX_BEGINNING = /^[0-9a-f\s]/i

async function* inputsOf(given: readonly string[]): AsyncGenerator<Input> {
  for (const argument of given) {
    if (argument === '-') yield* linesOf(createInterface({ input: process.stdin }), 'line')
    else if (HEX.test(argument)) yield { name: null, bytes: () => bytesOf(argument) }
    else yield* inputsOfFile(argument)
  }
}

/** A file holds serialized bytes, or hex with one input a line. */
async function* inputsOfFile(path: string): AsyncGenerator<Input> {
  let content: Buffer
  try {
    content = await readFile(path)
  } catch (cause) {
    yield { name: null, bytes: () => refuse(`"${path.slice(0, 100)}" is no hex and no file here`, 0, cause) }
    return
  }
  if (!HEX_BEGINNING.test(content.toString('latin1', 0, 1))) yield { name: path, bytes: () => content }
  else yield* linesOf(content.toString('latin1').split('\n'), `${path} line`)
}

async function* linesOf(
  lines: AsyncIterable<string> | Iterable<string>,
  name: string,
): AsyncGenerator<Input> {
  let number = 0
  for await (const line of lines) {
    number++
    const text = line.trim()
    if (text !== '') yield { name: `${name} ${number}`, bytes: () => bytesOf(text) }
  }
}

/** Bytes of hex, with or without `0x`. The place of a fault is in bytes, as everywhere. */
function bytesOf(text: string): Uint8Array {
  const hex = text.replace(/^0x/i, '')
  const fault = hex.search(/[^0-9a-f]/i)
  if (fault >= 0) return refuse(`"${hex[fault]}" is no hex digit`, fault >> 1)
  if (hex.length % 2 === 1) return refuse('The hex ends inside a byte', hex.length >> 1)
  return Buffer.from(hex, 'hex')
}

function refuse(message: string, offset: number, cause?: unknown): never {
  throw new AssayError('decode.hex', `${message}, at byte ${offset}.`, { facts: { offset }, cause })
}

export const decodeStacksCommand = (): Command =>
  new Command('stacks')
    .description('decode serialized Stacks transactions, or Clarity values')
    .argument('<inputs...>', 'hex, files of bytes or of hex lines, or - for hex lines on standard input')
    .option('--value', 'decode Clarity values instead of transactions', false)
    .action(decodeInputs)
