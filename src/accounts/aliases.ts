import { isAddress } from '#chains/stacks/index.ts'
import type { Person } from '#kernel/people.ts'
import type { Parts } from './config.ts'
import { AccountError } from './errors.ts'
import { oneLine } from './plainText.ts'

/** A name that a person gave to an address, as the call of old answers it. */
export type Alias = { readonly alias: string; readonly wallet: { readonly address: string } }

export type Aliases = {
  /** Those of the person alone, by name. */
  list(person: Person): Promise<Alias[]>
  /** Names an address; an empty name takes it away. Throws `accounts.form`. */
  name(person: Person, address: string, alias: string): Promise<void>
}

export const ALIAS_LENGTH = 60
const MOST_ALIASES = 1000

export const createAliases = ({ query }: Pick<Parts, 'query'>): Aliases => ({
  async list({ kind, id }) {
    const rows = await query<{ alias: string; address: string }>(
      'SELECT alias, address FROM assay.wallet_aliases WHERE kind = $1 AND person = $2 ORDER BY alias, address',
      [kind, id],
    )
    return rows.map(({ alias, address }) => ({ alias, wallet: { address } }))
  },
  async name({ kind, id }, address, alias) {
    if (!isAddress(address)) throw new AccountError('accounts.form', 'This is no address of Stacks.')
    const clean = oneLine(alias)
    if ([...clean].length > ALIAS_LENGTH)
      throw new AccountError('accounts.form', `A name has at most ${ALIAS_LENGTH} characters.`)
    if (clean === '') {
      await query('DELETE FROM assay.wallet_aliases WHERE kind = $1 AND person = $2 AND address = $3', [
        kind,
        id,
        address,
      ])
      return
    }
    const written = await query(
      `INSERT INTO assay.wallet_aliases (kind, person, address, alias)
SELECT $1, $2, $3, $4 WHERE (SELECT count(*) FROM assay.wallet_aliases WHERE kind = $1 AND person = $2 AND address <> $3) < ${MOST_ALIASES}
ON CONFLICT (kind, person, address) DO UPDATE SET alias = $4 RETURNING address`,
      [kind, id, address, clean],
    )
    if (written.length === 0)
      throw new AccountError('accounts.form', `A person may name ${MOST_ALIASES} addresses.`)
  },
})
