import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { Command, Option } from 'commander'
import { openBitcoinCodec, summaryOf, txsOf } from '#chains/bitcoin/index.ts'
import { NETWORKS, type Network } from '#kernel/bitcoin.ts'
import { AssayError, sentenceOf } from '#kernel/errors.ts'

type Options = { tx: boolean; network: Network }

/** A bigint within 2^53−1 prints as a number, a larger one as a decimal string. */
const integer = (_key: string, value: unknown): unknown =>
  typeof value !== 'bigint'
    ? value
    : value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= -BigInt(Number.MAX_SAFE_INTEGER)
      ? Number(value)
      : value.toString()

/** `assay decode bitcoin FILE…`: one JSON object a block on one line; a bad file prints `{error, offset}` and the rest goes on. */
async function decodeFiles(files: readonly string[], options: Options): Promise<void> {
  const codec = await openBitcoinCodec({ network: options.network })
  for (const file of files) {
    let line: unknown
    try {
      const block = codec.decodeBlock(await readFile(file))
      line = options.tx ? { ...summaryOf(codec, block), tx: txsOf(codec, block) } : summaryOf(codec, block)
    } catch (thrown) {
      process.exitCode = 1
      const offset = thrown instanceof AssayError && typeof thrown.facts.offset === 'number' ? thrown.facts.offset : null
      line = { error: `${file}: ${sentenceOf(thrown)}`, offset }
    }
    process.stdout.write(`${JSON.stringify(line, integer)}\n`)
  }
}

export const decodeCommand = (): Command =>
  new Command('decode').description('decode raw blocks to JSON, one line a block').addCommand(
    new Command('bitcoin')
      .description('decode raw Bitcoin blocks in wire format')
      .argument('<files...>', 'files that hold one raw block each')
      .option('--tx', 'print the transactions too', false)
      .addOption(new Option('--network <network>', 'whose addresses to write').choices(NETWORKS).default('mainnet'))
      .action(decodeFiles),
  )
