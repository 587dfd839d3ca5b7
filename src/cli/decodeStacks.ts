import { readFile } from 'node:fs/promises'
import {
  type DecodedTransaction,
  memoText,
  openStacksCodec,
  transactionJson,
  valueJson,
} from '#chains/stacks/index.ts'
import { readSentences, type Sentences, transactionSentence } from '#explorer/index.ts'
import {
  bytesOfHex,
  type DecodeInput,
  linesOf,
  linesOfInput,
  printDecoded,
  unreadable,
} from './decodedLines.ts'
import { operatorCatalog } from './operatorCatalog.ts'

type Options = { readonly value: boolean }
type Decode = (bytes: Uint8Array) => unknown

/**
 * `assay decode stacks FILE|HEX|-`: one JSON object a transaction, with what it asks for in words, or with `--value` a Clarity
 * value, on one line.
 */
export async function decodeStacks(given: readonly string[], { value }: Options): Promise<void> {
  const codec = openStacksCodec()
  const sentences = value ? undefined : await readSentences(operatorCatalog())
  return printDecoded(
    inputsOf(
      given,
      sentences === undefined
        ? bytes => valueJson(codec.decodeValue(bytes))
        : bytes => {
            const tx = codec.decodeTransaction(bytes)
            return { ...transactionJson(tx), says: askedFor(tx, sentences) }
          },
    ),
  )
}

/** What a transaction asks for: bytes alone do not tell what came of it. */
function askedFor({ auth, payload }: DecodedTransaction, sentences: Sentences): string {
  const isCall = payload.kind === 'contract_call'
  const isTransfer = payload.kind === 'token_transfer'
  const sender = auth.origin.address
  return transactionSentence(sentences, {
    kind: payload.kind,
    sender,
    recipient: 'recipient' in payload ? payload.recipient : null,
    amountUstx: isTransfer ? payload.amountUstx : null,
    memo: isTransfer ? memoText(payload.memo) : '',
    contract: isCall
      ? payload.contract
      : 'contractName' in payload
        ? `${sender}.${payload.contractName}`
        : null,
    functionName: isCall ? payload.functionName : '',
    args: isCall ? payload.args : null,
    isSuccess: null,
    failed: { status: '', resultRepr: '', vmError: '' },
    moves: null,
    cause: payload.kind === 'tenure_change' ? payload.cause : null,
    clarityVersion: payload.kind === 'versioned_smart_contract' ? payload.clarityVersion : null,
    tokens: sentences.tokens,
  }).text
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
