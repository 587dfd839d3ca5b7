import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { Command, Option } from 'commander'
import { type BitcoinCodec, DecodeError, openBitcoinCodec, summaryOf, txsOf } from '#chains/bitcoin/index.ts'
import { networkBy } from '#chains/bitcoin/node/index.ts'
import { NETWORKS, type Network } from '#kernel/bitcoin.ts'
import { fileWords, sentenceOf } from '#kernel/errors.ts'
import { decodeEvmCommand } from './decodeEvm.ts'
import { decodeStacksCommand } from './decodeStacks.ts'
import { printLine } from './output.ts'

type Options = { tx: boolean; network: Network }

/** `assay decode bitcoin FILE…`: one JSON object a block on one line; a bad file prints `{error, offset}` and the rest goes on. */
async function decodeFiles(files: readonly string[], options: Options): Promise<void> {
  const codec = openBitcoinCodec({ network: options.network })
  for (const file of files) {
    const line = await decodeFile(file, codec, options)
    if ('error' in line) process.exitCode = 1
    if (!(await printLine(JSON.stringify(line)))) return
  }
}

async function decodeFile(file: string, codec: BitcoinCodec, { tx }: Options): Promise<object> {
  let bytes: Buffer
  try {
    bytes = await readFile(file)
  } catch (thrown) {
    return { error: `${file}: ${fileWords(thrown) ?? sentenceOf(thrown)}`, offset: null }
  }
  try {
    const block = codec.decodeBlock(bytes)
    const summary = summaryOf(block, codec.payloads(block))
    return tx ? { ...summary, tx: txsOf(block) } : summary
  } catch (thrown) {
    if (!(thrown instanceof DecodeError)) throw thrown
    const other = otherForm(bytes)
    return {
      error: `${file}: ${thrown.message}${other === undefined ? '' : ` ${other}`}`,
      offset: thrown.offset,
    }
  }
}

/** What a file that is no raw block seems to be, as a sentence that says what to do. */
function otherForm(bytes: Buffer): string | undefined {
  const network = networkBy('magic', bytes.toString('hex', 0, 4))
  if (network !== undefined)
    return `This looks like a blk*.dat file of ${network}: load it with \`assay backfill --from-files\`.`
  if (bytes.toString('hex', 0, 2) === '1f8b') return 'This looks like gzip: unpack it first.'
  if (/^[0-9a-f\s]{80}/i.test(bytes.toString('latin1', 0, 80)))
    return 'This looks like hex text: turn it into bytes first (`xxd -r -p`).'
  return undefined
}

export const decodeCommand = (): Command =>
  new Command('decode')
    .description('decode what chains and their nodes hold to JSON, one line an input')
    .addCommand(
      new Command('bitcoin')
        .description('decode raw Bitcoin blocks in wire format')
        .argument('<files...>', 'files that hold one raw block each')
        .option('--tx', 'print the transactions too', false)
        .addOption(
          new Option('--network <network>', 'whose addresses to write').choices(NETWORKS).default('mainnet'),
        )
        .action(decodeFiles),
    )
    .addCommand(decodeStacksCommand())
    .addCommand(decodeEvmCommand())
