import { userInfo } from 'node:os'
import process from 'node:process'
import { Command } from 'commander'
import { type Accounts, type Grant, holderOf } from '#accounts/index.ts'
import { readCatalog } from '#catalog/index.ts'
import { AssayError, ConfigError, sentenceOf } from '#kernel/errors.ts'
import { catalogOf, readConfig } from '../config.ts'
import { catalogDir, makeHome, openAccountsOf, openStoreOf } from '../main.ts'
import { createLog } from './log.ts'
import { printLine } from './output.ts'

/** Who gives: the user of this machine. */
const giver = (): string => `command line (${userInfo().username})`

export const grantCommand = (): Command =>
  new Command('grant')
    .description('give features to a person, by email or Stacks address')
    .argument('<who>', 'a confirmed email, or an address')
    .argument('<features>', 'dashboard, query, bitcoin, separated by commas')
    .option(
      '--until <date>',
      'the last day on which it holds, UTC (YYYY-MM-DD); without it, until it is revoked',
    )
    .requiredOption('--reason <text>', 'reason, for the record')
    .action((who: string, features: string, { until, reason }: { until?: string; reason: string }) => {
      // What is wrong with the call is told before anything is opened.
      const last = until === undefined ? undefined : endOfDay(until)
      demandHolder(who)
      return withAccounts(async ({ grants }) => {
        const grant = await grants.give({
          holder: who,
          features: features.split(',').map(name => name.trim()),
          until: last,
          reason,
          by: giver(),
        })
        await printLine(`Granted. ${lineOf(grant)}`)
      })
    })

export const grantsCommand = (): Command =>
  new Command('grants')
    .description('list active grants, newest first')
    .option('--all', 'include expired and revoked grants')
    .action(({ all }: { all?: boolean }) =>
      withAccounts(async ({ grants }) => {
        const given = await grants.list(all)
        if (given.length === 0) await printLine('No grants.')
        for (const grant of given) if (!(await printLine(lineOf(grant)))) return
      }),
    )

export const revokeCommand = (): Command =>
  new Command('revoke')
    .description('revoke a grant by its number, or all grants of a user')
    .argument('<which>', 'number of a grant as `assay grants` prints it, an email or an address')
    .action((which: string) =>
      withAccounts(async ({ grants }) => {
        const count = await grants.revoke(which, giver())
        if (count === 0) throw new AssayError('grants.none', `No active grant for ${which}.`)
        await printLine(`Revoked ${count}.`)
      }),
    )

/** Throws a ConfigError for who can hold nothing. */
function demandHolder(who: string): void {
  try {
    holderOf(who)
  } catch (cause) {
    throw new ConfigError('grants.who', sentenceOf(cause), { cause })
  }
}

function endOfDay(text: string): Date {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T23:59:59.999Z`) : undefined
  // A day that no calendar has would otherwise be read as one of the next month.
  if (day === undefined || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text)
    throw new ConfigError('grants.until', `--until ${text} is no day.`, { hint: 'Write it as YYYY-MM-DD.' })
  return day
}

/** Opens the store alone: no figure is asked for. */
async function withAccounts(run: (accounts: Accounts) => Promise<void>): Promise<void> {
  const catalog = await readCatalog(catalogDir({ catalog: catalogOf(process.env) }))
  const config = readConfig(process.env, catalog.evm)
  await makeHome(config.home)
  const deps = { config, log: createLog(config.logLevel) }
  await using store = await openStoreOf(deps)
  await using accounts = openAccountsOf(deps, async () => store)
  await run(accounts)
}

const lineOf = ({ id, holder, features, until, reason, grantedBy, grantedAt, revokedAt }: Grant): string =>
  [
    `${id}`,
    holder,
    features.join(','),
    until === null ? 'until it is revoked' : `until ${until.toISOString().slice(0, 10)}`,
    `since ${grantedAt.toISOString().slice(0, 10)} by ${grantedBy}`,
    ...(revokedAt === null ? [] : [`revoked ${revokedAt.toISOString().slice(0, 10)}`]),
    reason,
  ].join('  ')
