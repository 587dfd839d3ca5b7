import { isAddress } from '#chains/stacks/index.ts'
import type { Features, PeopleConfig, Person } from '#kernel/people.ts'
import { type Aliases, createAliases } from './aliases.ts'
import { createNote } from './audit.ts'
import { createBackground } from './background.ts'
import { type AccountsDeps, emailKey, LIMITS, type NoteFacts, type Parts, personKey } from './config.ts'
import { AccountError } from './errors.ts'
import { createHeld, type Held } from './features.ts'
import { createGrants, type Grants, holdersOf } from './grants.ts'
import { createIdentify, type Identify } from './identify.ts'
import { type ApiKeys, createApiKeys } from './keys.ts'
import { createLimiter } from './limits.ts'
import { createMail, type Mail } from './mail.ts'
import type { Member } from './memberRow.ts'
import { createMembers, type Members } from './members.ts'
import type { IdpHandler } from './provider/openIdp.ts'
import { CLIENT_ID, IDP_PATH, SIGN_IN_SCOPE } from './provider/place.ts'
import { readSecrets, type Secrets } from './secrets.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createTeams, type Teams } from './teams/createTeams.ts'
import { createWalletSessions, type WalletSessions } from './walletSessions.ts'

/** All that the server knows of people. Nothing is opened before the first who says to be somebody. */
export type Accounts = AsyncDisposable & {
  /** What the browser needs to sign people in. */
  readonly shown: PeopleConfig
  readonly publicUrl: string
  /** Who asks; undefined for who claims nothing. Throws AccountError for what is claimed and not proved. */
  readonly identify: Identify
  features(person: Person): Promise<Features>
  /** The same with where it comes from. */
  held(person: Person): Promise<Held>
  isOperator(person: Person): boolean
  /**
   * Whether somebody who is away may use a feature now. `email` counts for accounts of a tenant alone, whose email is in their
   * tokens.
   */
  mayUse(key: string, email: string | null, feature: string): Promise<boolean>
  /**
   * Emails a user at their confirmed address, if they have one. Wallets have none. Throws `accounts.too_many` beyond the limit of
   * emails to one address.
   */
  notify(key: string, email: string | null, mail: Pick<Mail, 'subject' | 'text'>): Promise<void>
  /** Counts one more change of the person; throws `accounts.too_many`. */
  allowChange(person: Person): Promise<void>
  /** The account of ours behind a person; undefined for wallets and for accounts of a tenant. */
  memberOf(person: Person): Promise<Member | undefined>
  readonly members: Members
  readonly wallets: WalletSessions
  readonly sessions: Sessions
  readonly keys: ApiKeys
  readonly grants: Grants
  readonly aliases: Aliases
  readonly teams: Teams
  /** All that is kept of a person. */
  export(person: Person, asker: string): Promise<Record<string, unknown>>
  /** Deletes all that is kept of a person but the lines of the audit log. */
  delete(person: Person, asker: string): Promise<void>
  /** Writes down what a person did elsewhere on the site, as a line of the audit log. */
  note(event: string, by: { person: Person; asker: string; facts: NoteFacts }): Promise<void>
  /** Resolves when the mails requested so far are sent. */
  idle(): Promise<void>
  /** Answers below `/idp`; undefined where a tenant signs people in. */
  readonly idp: IdpHandler | undefined
}

const TEN_MINUTES = 600
const HOUR = 3600
const MINUTE = 60
const SWEEP_MS = HOUR * 1000
const YEAR_MS = 365 * 24 * SWEEP_MS

/** What is over goes, once an hour while people are served. */
const SWEEPS = [
  'DELETE FROM assay.oidc_records WHERE expires_at < $1',
  'DELETE FROM assay.account_links WHERE expires_at < $1',
  'DELETE FROM assay.siws_nonces WHERE expires_at < $1',
  'DELETE FROM assay.wallet_sessions WHERE expires_at < $1',
  'DELETE FROM assay.team_invitations WHERE expires_at < $1',
]

/** Makes what answers who people are. The store is asked when somebody signs in, not before. */
export function openAccounts({ store, config, log, now, planOf, others = [] }: AccountsDeps): Accounts {
  let isTouched = false
  const query: Parts['query'] = (text, values) => {
    isTouched = true
    return store.query(text, values)
  }
  const note = createNote({ store: { query }, log, now })
  const parts: Parts = { query, config, log, now, note }
  const most = { ...LIMITS, ...config.limits }
  const background = createBackground(log)
  const sessions = createSessions(parts)
  const send = createMail(config.mail, log)
  const mails = {
    mailsByAddress: createLimiter('mails', most.mailsByAddress, HOUR),
    mailsByAccount: createLimiter('mails', most.mailsByAccount, HOUR),
  }
  const members = createMembers(
    parts,
    {
      failuresByAddress: createLimiter('wrong passwords', most.failuresByAddress, TEN_MINUTES),
      failuresByAccount: createLimiter('wrong passwords', most.failuresByAccount, TEN_MINUTES),
      failuresOfAccount: createLimiter('wrong passwords', most.failuresOfAccount, HOUR),
      ...mails,
    },
    send,
    background,
  )
  const tokensByAddress = createLimiter('invitations tried', most.invitationsByAddress, MINUTE)
  const teams = createTeams(parts, { ...mails, tokensByAddress }, send, background)
  const wallets = createWalletSessions(parts, {
    byAddress: createLimiter('messages to sign', most.noncesByAddress, MINUTE),
    byWallet: createLimiter('messages to sign', most.noncesByWallet, MINUTE),
    proofsByAddress: createLimiter('signed messages', most.proofsByAddress, MINUTE),
  })
  const changes = createLimiter('changes', most.changesByPerson, MINUTE)
  const keys = createApiKeys(parts)
  const aliases = createAliases(parts)
  const held = createHeld(parts, planOf)
  let secrets: Promise<Secrets> | undefined
  const readOnce = () => {
    secrets ??= readSecrets(query).catch(cause => {
      secrets = undefined
      throw cause
    })
    return secrets
  }
  const operators = new Set(config.operators.map(text => (isAddress(text) ? text : emailKey(text))))

  let idp: Promise<IdpHandler> | undefined
  const openProvider = () => {
    idp ??= Promise.all([import('./provider/openIdp.ts'), readOnce()])
      .then(([{ openIdp }, read]) => openIdp(parts, read, members))
      .catch(cause => {
        idp = undefined
        throw cause
      })
    return idp
  }

  /** Looks up a user by key. Undefined if the user no longer exists. */
  async function away(key: string, email: string | null): Promise<Person | undefined> {
    const [, kind, id = ''] = /^(account|wallet):(.+)$/s.exec(key) ?? []
    if (kind !== 'account' && kind !== 'wallet') return undefined
    const member = kind === 'account' ? await members.find(id) : undefined
    // A deleted account, or one with an unconfirmed email, gets nothing by email.
    const isOurs = config.tenant === undefined
    if (isOurs && kind === 'account' && member === undefined) return undefined
    const proved = isOurs ? (member?.isEmailProved ? member.email : null) : email
    return { kind, id, email: proved, name: null, scopes: new Set(), via: 'token' }
  }

  async function sweep(): Promise<void> {
    if (!isTouched) return
    const at = new Date(now())
    for (const sql of SWEEPS) await query(sql, [at])
    await query('DELETE FROM assay.audit_log WHERE at < $1', [new Date(at.getTime() - YEAR_MS)])
  }
  const sweeping = setInterval(() => {
    sweep().catch(cause => log.warn('what is over of people could not be removed', { cause: String(cause) }))
  }, SWEEP_MS).unref()

  return {
    shown: {
      auth: {
        domain: config.tenant?.domain ?? `${config.publicUrl}${IDP_PATH}`,
        clientId: config.tenant?.clientId ?? CLIENT_ID,
        audience: config.audience,
        scope: SIGN_IN_SCOPE,
      },
      asignaOrigins: config.asignaOrigins,
      hubHosts: config.hubHosts,
    },
    publicUrl: config.publicUrl,
    identify: createIdentify({ parts, sessions: wallets, keys, secrets: readOnce }),
    features: async person => (await held(person)).features,
    held,
    async mayUse(key, email, feature) {
      const person = await away(key, email)
      return person !== undefined && (await held(person)).features[feature] === true
    },
    async notify(key, email, mail) {
      const to = (await away(key, email))?.email ?? null
      if (to === null) return
      await mails.mailsByAccount.take(`notified ${emailKey(to)}`)
      background.run('an email to a user', () => send({ ...mail, to }))
    },
    isOperator: ({ id, email }) => operators.has(id) || (email !== null && operators.has(emailKey(email))),
    allowChange: person => changes.take(personKey(person)),
    memberOf: async ({ kind, id }) => (kind === 'account' ? await members.find(id) : undefined),
    members,
    wallets,
    sessions,
    keys,
    grants: createGrants(parts),
    aliases,
    teams,
    async export(person, asker) {
      await note('exported', { person: personKey(person), asker })
      const [member, ownSessions, ownKeys, names, { features, plan, trialUntil }, grants, log, ownTeams] =
        await Promise.all([
          person.kind === 'account' ? members.find(person.id) : undefined,
          sessions.list(person),
          keys.list(person),
          aliases.list(person),
          held(person),
          query(
            `SELECT features, until, reason, granted_at AS "grantedAt", revoked_at AS "revokedAt" FROM assay.grants WHERE holder = ANY ($1) ORDER BY id`,
            [holdersOf(person)],
          ),
          query('SELECT at, event, asker, facts FROM assay.audit_log WHERE person = $1 ORDER BY id', [
            personKey(person),
          ]),
          teams.export(person),
        ])
      const { kind, id, email, name } = person
      const more = await Promise.all(
        others.map(async other => [other.name, await other.export(person)] as const),
      )
      return {
        person: { kind, id, email: member?.email ?? email, name },
        ...(member && { account: member }),
        features,
        plan,
        trialUntil,
        sessions: ownSessions,
        keys: ownKeys,
        aliases: names,
        grants,
        log,
        teams: ownTeams,
        ...Object.fromEntries(more),
      }
    },
    async delete(person, asker) {
      const { kind, id } = person
      for (const other of others) await other.delete(person)
      await teams.deleteAll(person)
      await query('DELETE FROM assay.grants WHERE holder = ANY ($1)', [holdersOf(person)])
      await query('DELETE FROM assay.api_keys WHERE kind = $1 AND person = $2', [kind, id])
      await query('DELETE FROM assay.wallet_aliases WHERE kind = $1 AND person = $2', [kind, id])
      if (kind === 'wallet') await query('DELETE FROM assay.wallet_sessions WHERE address = $1', [id])
      else {
        await sessions.endAll(id)
        await query('DELETE FROM assay.accounts WHERE id = $1', [id])
      }
      await note('deleted', { person: personKey(person), asker })
    },
    note: (event, { person, asker, facts }) => note(event, { person: personKey(person), asker, facts }),
    idle: background.idle,
    idp:
      config.tenant === undefined
        ? async (request, response, asker) => (await openProvider())(request, response, asker)
        : undefined,
    async [Symbol.asyncDispose]() {
      clearInterval(sweeping)
      await background.idle()
    },
  }
}

/** Throws `accounts.needed` for nobody. */
export function demandPerson(person: Person | undefined): Person {
  if (person !== undefined) return person
  throw new AccountError('accounts.needed', 'This needs who you are.', {
    hint: 'Sign in with an account or a wallet.',
  })
}
