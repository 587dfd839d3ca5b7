import process from 'node:process'
import { Command, CommanderError } from 'commander'
import { ConfigError, sentenceOf } from '#kernel/errors.ts'
import { backfillCommand } from './cli/backfill.ts'
import { decodeCommand } from './cli/decode.ts'
import { ingestCommand } from './cli/ingest.ts'
import { serveCommand } from './cli/serve.ts'
import { startCommand } from './cli/start.ts'
import { statusCommand } from './cli/status.ts'
import { verifyCommand } from './cli/verify.ts'
import { workCommand } from './cli/work.ts'
import { version } from './main.ts'

/** Exit codes of every command: 0 done, 1 something failed or was refused, 2 wrong call or configuration. */
const FAILED = 1
const WRONG_CALL = 2

const assay = new Command('assay')
  .description(
    'Analytics on Bitcoin, its layers and the applications on Stacks. Every number can be assayed.',
  )
  .version(version())
  .showHelpAfterError('(see --help)')
  .exitOverride()
  .addHelpText(
    'after',
    '\nExit codes: 0 done, 1 something failed or was refused, 2 wrong call or configuration.',
  )

for (const command of [
  startCommand,
  serveCommand,
  ingestCommand,
  workCommand,
  decodeCommand,
  backfillCommand,
  verifyCommand,
  statusCommand,
]) {
  assay.addCommand(command().exitOverride())
}

try {
  await assay.parseAsync(process.argv)
} catch (thrown) {
  if (thrown instanceof CommanderError) {
    process.exitCode = thrown.exitCode === 0 ? 0 : WRONG_CALL
  } else {
    process.stderr.write(`assay: ${sentenceOf(thrown)}\n`)
    process.exitCode = thrown instanceof ConfigError ? WRONG_CALL : FAILED
  }
}
