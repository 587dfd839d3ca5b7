import { readFile } from 'node:fs/promises'
import { openStacksCodec, transactionJson, valueJson } from '#chains/stacks/index.ts'
import {
  bytesOfHex,
  type DecodeInput,
  linesOf,
  linesOfInput,
  printDecoded,
  unreadable,
} from './decodedLines.ts'

type Options = { readonly value: boolean }
type Decode = (bytes: Uint8Array) => unknown

/** `assay decode stacks FILE|HEX|-`: one JSON object a transaction, or with `--value` a Clarity value, on one line. */
export function decodeStacks(given: readonly string[], { value }: Options): Promise<void> {
  const codec = openStacksCodec()
  return printDecoded(
    inputsOf(
      given,
      value
        ? bytes => valueJson(codec.decodeValue(bytes))
        : bytes => transactionJson(codec.decodeTransaction(bytes)),
    ),
  )
}

const HEX = /^(?:0x)?[0-9a-f]*$/i
/** No serialized transaction or value begins with one of these: such a file holds hex. */
const HEX_BEGINNING = /^[0-9a-f\s]/i

async function* inputsOf(given: readonly string[], decode: Decode): AsyncGenerator<DecodeInput> {
  for (const argument of given) {
    if (argument === '-') yield* ofLines(linesOfInput(), decode)
    else if (HEX.test(argument)) yield { name: null, decode: () => decode(bytesOfHex(argument)) }
    else yield* inputsOfFile(argument, decode)
  }
}

/** A file holds serialized bytes, or hex with one input a line. */
async function* inputsOfFile(path: string, decode: Decode): AsyncGenerator<DecodeInput> {
  let content: Buffer
  try {
    content = await readFile(path)
  } catch (thrown) {
    yield unreadable(path, thrown)
    return
  }
  if (!HEX_BEGINNING.test(content.toString('latin1', 0, 1)))
    yield { name: path, decode: () => decode(content) }
  else
    yield* ofLines(
      linesOf(content.toString('latin1').split('\n'), number => `${path}:${number}`),
      decode,
    )
}

async function* ofLines(lines: ReturnType<typeof linesOf>, decode: Decode): AsyncGenerator<DecodeInput> {
  for await (const { name, text } of lines) yield { name, decode: () => decode(bytesOfHex(text)) }
}
