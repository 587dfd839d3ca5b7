import { Command, Option } from 'commander'
import { NETWORKS } from '#kernel/bitcoin.ts'

/** The codec of a chain is loaded only when it is asked for: some open WebAssembly as they load. */
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
        .action(async (files, options) => (await import('./decodeBitcoin.ts')).decodeBitcoin(files, options)),
    )
    .addCommand(
      new Command('stacks')
        .description('decode serialized Stacks transactions, or Clarity values')
        .argument('<inputs...>', 'hex, files of bytes or of hex lines, or - for hex lines on standard input')
        .option('--value', 'decode Clarity values instead of transactions', false)
        .action(async (inputs, options) => (await import('./decodeStacks.ts')).decodeStacks(inputs, options)),
    )
    .addCommand(
      new Command('evm')
        .description('decode answers of EVM nodes (blocks, receipts, transactions) and raw transactions')
        .argument(
          '<inputs...>',
          'hex, files of JSON or hex, one input each or one a line (.gz too), or - for lines on standard input',
        )
        .option('--chain <chain>', 'layer of the catalog, ethereum or rootstock-testnet', 'ethereum')
        .option('--tx', 'print the transactions with their receipts and events too', false)
        .option('--no-senders', 'do not recover senders from signatures')
        .action(async (inputs, options) => (await import('./decodeEvm.ts')).decodeEvm(inputs, options)),
    )
