import process from 'node:process'
import { Command, CommanderError } from 'commander'
import { ConfigError, sentenceOf } from '#kernel/errors.ts'
import { surviveClosedOutput } from './cli/output.ts'
import { version } from './version.ts'

/** Exit codes of every command: 0 done, 1 something failed or was refused, 2 wrong call or configuration. */
const FAILED = 1
const WRONG_CALL = 2

/** Which chains there are, the catalogue says. */
const chainNames = async () => (await import('./cli/chains.ts')).chainNames()

/** Each command's module is loaded only when it is asked for: `decode` needs no warehouse. */
const COMMANDS = {
  start: async () => (await import('./cli/start.ts')).startCommand(),
  serve: async () => (await import('./cli/serve.ts')).serveCommand(),
  ingest: async () => (await import('./cli/ingest.ts')).ingestCommand(await chainNames()),
  work: async () => (await import('./cli/work.ts')).workCommand(),
  decode: async () => (await import('./cli/decode.ts')).decodeCommand(),
  backfill: async () => (await import('./cli/backfill.ts')).backfillCommand(await chainNames()),
  verify: async () => (await import('./cli/verify.ts')).verifyCommand(await chainNames()),
  developers: async () => (await import('./cli/developers.ts')).developersCommand(),
  sources: async () => (await import('./cli/sources.ts')).sourcesCommand(),
  grant: async () => (await import('./cli/grants.ts')).grantCommand(),
  grants: async () => (await import('./cli/grants.ts')).grantsCommand(),
  revoke: async () => (await import('./cli/grants.ts')).revokeCommand(),
  status: async () => (await import('./cli/status.ts')).statusCommand(),
  metrics: async () => (await import('./cli/metrics.ts')).metricsCommand(),
  check: async () => (await import('./cli/check.ts')).checkCommand(),
  mcp: async () => (await import('./cli/mcp.ts')).mcpCommand(),
} satisfies Record<string, () => Promise<Command>>

const assay = new Command('assay')
  .description(
    'Analytics on Bitcoin, its layers and the applications on Stacks. Every number can be assayed.',
  )
  .version(version())
  .showHelpAfterError('(see --help)')
  .exitOverride()
  .addHelpText(
    'afterAll',
    '\nExit codes: 0 done, 1 something failed or was refused, 2 wrong call or configuration.',
  )

/** Commander hands the parent's settings to commands it makes itself; ours are made apart. */
function addCommand(command: Command): void {
  const inherit = (child: Command): void => {
    child.copyInheritedSettings(assay)
    child.commands.forEach(inherit)
  }
  inherit(command)
  assay.addCommand(command)
}

surviveClosedOutput()
// Without it React draws pages by its build for development, which checks what each component is given.
process.env.NODE_ENV ??= 'production'
try {
  const named = Object.entries(COMMANDS).find(([name]) => name === process.argv[2])
  for (const [, load] of named ? [named] : Object.entries(COMMANDS)) addCommand(await load())
  await assay.parseAsync(process.argv)
} catch (thrown) {
  if (thrown instanceof CommanderError) {
    process.exitCode = thrown.exitCode === 0 ? 0 : WRONG_CALL
  } else if (thrown instanceof Error && thrown.name === 'AbortError') {
    process.stderr.write('assay: Stopped before it was done.\n')
    process.exitCode = FAILED
  } else {
    process.stderr.write(`assay: ${sentenceOf(thrown)}\n`)
    process.exitCode = thrown instanceof ConfigError ? WRONG_CALL : FAILED
  }
}
