import { type Features, type Person, PREMIUM } from '#kernel/people.ts'
import { type AccountsDeps, emailKey, type Parts, type Plan } from './config.ts'
import { holdersOf } from './grants.ts'
import { hashOf } from './hash.ts'

export type Held = {
  readonly features: Features
  readonly plan: Plan | null
  /** Until when a trial holds; null without one. */
  readonly trialUntil: Date | null
}

const DAY_MS = 24 * 3600_000

/** What a person may use: by the plan, by grants, by a trial; and by which of them. */
export function createHeld(
  { query, config, now }: Parts,
  planOf: AccountsDeps['planOf'],
): (person: Person) => Promise<Held> {
  /** A trial is one for each proved email, and begins with the first question: it survives no new account. */
  async function trialOf({ email }: Person, at: Date): Promise<Date | null> {
    if (config.trialDays === 0 || email === null) return null
    const hash = hashOf(emailKey(email))
    const ask = () =>
      query<{ ends_at: Date }>('SELECT ends_at FROM assay.trials WHERE email_hash = $1', [hash])
    let [row] = await ask()
    if (row === undefined) {
      await query(
        'INSERT INTO assay.trials (email_hash, started_at, ends_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [hash, at, new Date(at.getTime() + config.trialDays * DAY_MS)],
      )
      ;[row] = await ask()
    }
    return row !== undefined && row.ends_at > at ? row.ends_at : null
  }

  return async person => {
    const at = new Date(now())
    const [plan, granted, trialUntil] = await Promise.all([
      planOf?.(person),
      query<{ feature: string }>(
        `SELECT DISTINCT unnest(features) AS feature FROM assay.grants
WHERE holder = ANY ($1) AND revoked_at IS NULL AND (until IS NULL OR until > $2)`,
        [holdersOf(person), at],
      ),
      trialOf(person, at),
    ])
    const names = [...(plan?.features ?? []), ...granted.map(({ feature }) => feature)]
    return {
      features: {
        ...Object.fromEntries(names.map(name => [name, true])),
        ...(trialUntil !== null && PREMIUM),
      },
      plan: plan ?? null,
      trialUntil,
    }
  }
}
