import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { Command, Option } from 'commander'
import { openBitcoinCodec, summaryOf, txsOf } from '#chains/bitcoin/index.ts'
import { NETWORKS, type Network } from '#kernel/bitcoin.ts'
import { AssayError, sentenceOf } from '#kernel/errors.ts'

type Options = { tx: boolean; network: Network }

/** `assay decode bitcoin FILE…`: one JSON object a block on one line; a bad file prints `{error, offset}` and the rest goes on. */
async function decodeFiles(files: readonly string[], options: Options): Promise<void> {
  const codec = openBitcoinCodec({ network: options.network })
  for (const file of files) {
    let line: unknown
    try {
      const block = codec.decodeBlock(await readFile(file))
      const summary = summaryOf(block, codec.payloads(block))
      line = options.tx ? { ...summary, tx: txsOf(block) } : summary
    } catch (thrown) {
      process.exitCode = 1
      const offset =
        thrown instanceof AssayError && typeof thrown.facts.offset === 'number' ? thrown.facts.offset : null
      line = { error: `${file}: ${sentenceOf(thrown)}`, offset }
    }
    process.stdout.write(`${JSON.stringify(line)}\n`)
  }
}

export const decodeCommand = (): Command =>
  new Command('decode')
    .description('decode raw blocks to JSON, one line a block')
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
