import process from 'node:process'
import { createInterface } from 'node:readline'
import { AssayError, fileWords, sentenceOf } from '#kernel/errors.ts'
import { printLine } from './output.ts'

/** One input of `assay decode`. */
export type DecodeInput = {
  /** What errors call it; null where it stands in the call itself. */
  readonly name: string | null
  /** What is printed of it. Throws what is wrong with it. */
  decode(): unknown
}

/**
 * Prints each input as JSON on one line. A bad one prints `{error, offset}`, for answers in JSON with the `field`; the rest goes
 * on, and the command ends with 1. Ends early once nobody reads any more.
 */
export async function printDecoded(
  inputs: AsyncIterable<DecodeInput>,
  write: (decoded: unknown) => string = JSON.stringify,
): Promise<void> {
  for await (const input of inputs) if (!(await printLine(write(await outcomeOf(input))))) return
}

async function outcomeOf({ name, decode }: DecodeInput): Promise<unknown> {
  try {
    return await decode()
  } catch (thrown) {
    // What has no code is a defect of ours, not of the input.
    if (!(thrown instanceof Error && 'code' in thrown)) throw thrown
    process.exitCode = 1
    const { offset, path } = thrown instanceof AssayError ? thrown.facts : {}
    return {
      error: `${name === null ? '' : `${name}: `}${fileWords(thrown) ?? sentenceOf(thrown)}`,
      ...(typeof path === 'string' && { field: path }),
      offset: typeof offset === 'number' ? offset : null,
    }
  }
}

/** The lines that hold anything, by the names that errors give them. */
export async function* linesOf(
  lines: AsyncIterable<string> | Iterable<string>,
  nameOf: (number: number) => string,
): AsyncGenerator<{ name: string; text: string }> {
  let number = 0
  for await (const line of lines) {
    number++
    const text = line.trim()
    if (text !== '') yield { name: nameOf(number), text }
  }
}

/** The lines of standard input. */
export const linesOfInput = () =>
  linesOf(createInterface({ input: process.stdin }), number => `line ${number}`)

/** The input that an argument stands for which is no hexadecimal text and no file that can be read. */
export function unreadable(path: string, cause: unknown): DecodeInput {
  const isAbsent = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
  return {
    name: isAbsent ? null : path,
    decode() {
      throw isAbsent ? badHex(`"${path.slice(0, 100)}" is no hex and no file here`, 0) : cause
    },
  }
}

/** Bytes of hexadecimal digits, with or without `0x`. Throws `decode.hex` with the place in bytes, as everywhere. */
export function bytesOfHex(text: string): Buffer {
  const hex = text.replace(/^0x/i, '')
  const fault = hex.search(/[^0-9a-f]/i)
  if (fault >= 0) throw badHex(`"${hex[fault]}" is no hex digit`, fault >> 1)
  if (hex.length % 2 === 1) throw badHex('The hex ends inside a byte', hex.length >> 1)
  return Buffer.from(hex, 'hex')
}

const badHex = (message: string, offset: number): AssayError =>
  new AssayError('decode.hex', `${message}, at byte ${offset}.`, { facts: { offset } })
