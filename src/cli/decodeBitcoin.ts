import { readFile } from 'node:fs/promises'
import { type BitcoinCodec, DecodeError, openBitcoinCodec, summaryOf, txsOf } from '#chains/bitcoin/index.ts'
import { networkBy } from '#chains/bitcoin/node/index.ts'
import type { Network } from '#kernel/bitcoin.ts'
import { AssayError } from '#kernel/errors.ts'
import { type DecodeInput, printDecoded } from './decodedLines.ts'

type Options = { readonly tx: boolean; readonly network: Network }

/** `assay decode bitcoin FILE…`: one JSON object a block on one line. */
export const decodeBitcoin = (files: readonly string[], options: Options): Promise<void> =>
  printDecoded(inputsOf(files, options))

async function* inputsOf(files: readonly string[], options: Options): AsyncGenerator<DecodeInput> {
  const codec = openBitcoinCodec({ network: options.network })
  for (const file of files)
    yield { name: file, decode: async () => blockJson(await readFile(file), codec, options) }
}

function blockJson(bytes: Buffer, codec: BitcoinCodec, { tx }: Options): object {
  try {
    const block = codec.decodeBlock(bytes)
    const summary = summaryOf(block, codec.payloads(block))
    return tx ? { ...summary, tx: txsOf(block) } : summary
  } catch (thrown) {
    if (!(thrown instanceof DecodeError)) throw thrown
    const { code, message, facts } = thrown
    throw new AssayError(code, message, { facts, hint: otherForm(bytes), cause: thrown })
  }
}

/** What a file that is no raw block seems to be, as a sentence that says what to do. */
function otherForm(bytes: Buffer): string | undefined {
  const network = networkBy('magic', bytes.toString('hex', 0, 4))
  if (network !== undefined)
    return `This looks like a blk*.dat file of ${network}: load it with \`assay backfill --from-files\`.`
  if (bytes.toString('hex', 0, 2) === '1f8b') return 'This looks like gzip: unpack it first.'
  if (/^[0-9a-f\s]{80}/i.test(bytes.toString('latin1', 0, 80)))
    return 'This looks like hex text. Convert it to bytes first (`xxd -r -p`).'
  return undefined
}
