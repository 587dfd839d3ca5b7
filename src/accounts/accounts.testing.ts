import type { Facts } from '#kernel/errors.ts'
import type { Person } from '#kernel/people.ts'
import type { Store } from '#store/index.ts'
import { openTestStore, STORE_KINDS } from '#store/testing.ts'
import type { AccountsConfig, AccountsDeps } from './config.ts'
import { type Accounts, openAccounts } from './openAccounts.ts'

export const NOW = Date.parse('2026-03-10T14:00:00Z')

export type TestAccounts = AsyncDisposable & {
  readonly store: Pick<Store, 'query'>
  /** Accounts with a clock that the test sets, and what they log. */
  open(
    given?: Partial<AccountsConfig>,
    more?: Pick<AccountsDeps, 'planOf' | 'others'>,
  ): Accounts & { clock: { now: number }; log: { message: string; facts: Facts | undefined }[] }
}

/** A store for a file of tests, each with accounts of its own names: a PostgreSQL where there is one, as it starts sooner. */
export async function openAccountsStore(): Promise<TestAccounts> {
  const kind = STORE_KINDS.findLast(({ skip }) => skip === undefined)
  if (kind === undefined) throw new Error('There is no kind of store')
  const store = await openTestStore(kind)
  const opened: Accounts[] = []
  return {
    store,
    open(given = {}, more = {}) {
      const clock = { now: NOW }
      const log: { message: string; facts: Facts | undefined }[] = []
      const write = (message: string, facts?: Facts) => log.push({ message, facts })
      const accounts = openAccounts({
        store,
        config: {
          publicUrl: 'https://assay.example',
          audience: 'https://assay.example/api',
          operators: [],
          trialDays: 0,
          asignaOrigins: [],
          hubHosts: [],
          ...given,
        },
        log: { info: write, warn: write, error: write },
        now: () => clock.now,
        ...more,
      })
      opened.push(accounts)
      return Object.assign(accounts, { clock, log })
    },
    async [Symbol.asyncDispose]() {
      for (const accounts of opened) await accounts[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

export const madePerson = (id: string, given: Partial<Person> = {}): Person => ({
  kind: 'account',
  id,
  email: `${id}@example.org`,
  name: null,
  scopes: new Set(),
  via: 'token',
  ...given,
})
