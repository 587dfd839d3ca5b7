import { emailKey, type Parts } from './config.ts'
import { AccountError } from './errors.ts'
import { hashOf, newSecret } from './hash.ts'
import type { Limiter } from './limits.ts'
import type { SendMail } from './mail.ts'
import { demandPassword, hashPassword, isPassword } from './passwords.ts'

/** An account of the embedded provider. */
export type Member = {
  readonly id: string
  readonly email: string
  readonly isEmailProved: boolean
  readonly name: string
  readonly createdAt: Date
}

export type Members = {
  /** Throws `accounts.form`, `accounts.taken`, `accounts.too_many`. A mail asks to confirm the address. */
  create(given: { email: string; name: string; password: string }, asker: string): Promise<Member>
  /** Throws `accounts.password` for a wrong email or password, `accounts.too_many`. */
  check(email: string, password: string, asker: string): Promise<Member>
  find(id: string): Promise<Member | undefined>
  /** Mails a link to change the password, if there is such an account; says nothing of whether there is. */
  forget(email: string, asker: string): Promise<void>
  /** Mails the link that confirms the address anew. */
  askToConfirm(member: Member, asker: string): Promise<void>
  /** Whether a link of that purpose holds. */
  hasLink(purpose: Purpose, secret: string): Promise<boolean>
  /** Changes the password by a mailed link, and proves the address. Throws `accounts.link`, `accounts.form`. */
  reset(secret: string, password: string, asker: string): Promise<Member>
  /** Proves the address by a mailed link. Throws `accounts.link`. */
  confirm(secret: string, asker: string): Promise<Member>
}

export type Purpose = 'reset' | 'confirm'

const LINK_MS: Readonly<Record<Purpose, number>> = { reset: 3600_000, confirm: 7 * 24 * 3600_000 }
const NAME_LENGTH = 80
const EMAIL =
  /^[^\s@<>"'\\,;:()[\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const LONGEST_EMAIL = 254

export type MemberLimits = {
  readonly failuresByAddress: Limiter
  readonly failuresByAccount: Limiter
  readonly failuresOfAccount: Limiter
  readonly mailsByAddress: Limiter
  readonly mailsByAccount: Limiter
}

export function createMembers(
  { query, config, now, note }: Parts,
  limits: MemberLimits,
  send: SendMail,
  /** Ends all sessions of an account. */
  endSessions: (account: string) => Promise<void>,
): Members {
  const byId = async (id: string) =>
    toMember((await query<MemberRow>('SELECT * FROM assay.accounts WHERE id = $1', [id]))[0])
  const byEmail = async (email: string) =>
    (await query<MemberRow>('SELECT * FROM assay.accounts WHERE email_key = $1', [emailKey(email)]))[0]

  /** Whether somebody who could sign in has done so from this address. */
  async function wasHere(account: string, asker: string): Promise<boolean> {
    const rows = await query(
      `SELECT 1 FROM assay.audit_log WHERE person = $1 AND asker = $2 AND event IN ('account signed in', 'password changed') LIMIT 1`,
      [`account:${account}`, asker],
    )
    return rows.length > 0
  }

  async function newLink(account: string, purpose: Purpose): Promise<string> {
    const secret = newSecret()
    // A new link takes the place of the one before.
    await query('DELETE FROM assay.account_links WHERE account = $1 AND purpose = $2', [account, purpose])
    await query(
      'INSERT INTO assay.account_links (token_hash, account, purpose, expires_at) VALUES ($1, $2, $3, $4)',
      [hashOf(secret), account, purpose, new Date(now() + LINK_MS[purpose])],
    )
    return `${config.publicUrl}/idp/u/${purpose}/${secret}`
  }

  /** The account of a link, which is used up by it. */
  async function take(secret: string, purpose: Purpose): Promise<Member> {
    const [row] = await query<{ account: string }>(
      `DELETE FROM assay.account_links WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3 RETURNING account`,
      [hashOf(secret), purpose, new Date(now())],
    )
    const member = row && (await byId(row.account))
    if (member === undefined)
      throw new AccountError('accounts.link', 'This link was used already, or its time is over.', {
        hint: 'Ask for a new one.',
      })
    return member
  }

  async function mailConfirmation(member: Member): Promise<void> {
    const link = await newLink(member.id, 'confirm')
    await send({
      to: member.email,
      subject: 'Confirm your email for Assay',
      text: `${greeting(member)}\n\nSomebody, we hope you, made an account at ${config.publicUrl} with this address. Confirm that it is yours:\n\n${link}\n\nThe link holds for seven days. If it was not you, do nothing.`,
    })
  }

  return {
    async create({ email, name, password }, asker) {
      const address = email.trim().normalize('NFC')
      if (address.length > LONGEST_EMAIL || !EMAIL.test(address))
        throw new AccountError('accounts.form', 'This is not an email address.')
      const called = cleanName(name)
      if (called === '') throw new AccountError('accounts.form', 'Say how we may call you.')
      demandPassword(password, address)
      await limits.mailsByAddress.take(asker)
      const [row] = await query<MemberRow>(
        `INSERT INTO assay.accounts (id, email, email_key, name, password_hash, created_at)
VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (email_key) DO NOTHING RETURNING *`,
        [
          `assay|${newSecret().slice(0, 22)}`,
          address,
          emailKey(address),
          called,
          await hashPassword(password),
          new Date(now()),
        ],
      )
      const member = toMember(row)
      if (member === undefined)
        throw new AccountError('accounts.taken', 'There is an account with this email already.', {
          hint: 'Sign in with it, or ask for a new password.',
        })
      await note('account made', { person: `account:${member.id}`, asker })
      await mailConfirmation(member)
      return member
    },

    async check(email, password, asker) {
      const account = emailKey(email)
      const both = `${account} ${asker}`
      // Counted before it is looked at: of guesses that come at once no more pass than of those that come one by one.
      // The narrowest limit first: what it refuses uses up none of the wider ones.
      await limits.failuresByAccount.take(both)
      await limits.failuresByAddress.take(asker)
      const row = await byEmail(email)
      await limits.failuresOfAccount.take(account).catch(async (thrown: unknown) => {
        // Whoever guesses from many addresses must not keep the owner out at those where they are known.
        if (row === undefined || !(await wasHere(row.id, asker))) throw thrown
      })
      if (!(await isPassword(row?.password_hash, password))) {
        await note('password refused', { ...(row && { person: `account:${row.id}` }), asker })
        throw new AccountError('accounts.password', 'Wrong email or password.')
      }
      await limits.failuresByAccount.forget(both)
      await limits.failuresByAddress.giveBack(asker)
      await limits.failuresOfAccount.giveBack(account)
      const member = toMember(row) as Member
      await note('account signed in', { person: `account:${member.id}`, asker })
      return member
    },

    find: byId,

    async forget(email, asker) {
      await limits.mailsByAddress.take(asker)
      const member = toMember(await byEmail(email))
      if (member === undefined) return
      await limits.mailsByAccount.take(member.id)
      const link = await newLink(member.id, 'reset')
      await note('new password asked for', { person: `account:${member.id}`, asker })
      await send({
        to: member.email,
        subject: 'A new password for Assay',
        text: `${greeting(member)}\n\nSet a new password here:\n\n${link}\n\nThe link holds for one hour and once. If you did not ask for it, do nothing: your password stays as it is.`,
      })
    },

    async askToConfirm(member, asker) {
      if (member.isEmailProved) return
      await limits.mailsByAddress.take(asker)
      await limits.mailsByAccount.take(member.id)
      await mailConfirmation(member)
    },

    async hasLink(purpose, secret) {
      const rows = await query(
        'SELECT 1 FROM assay.account_links WHERE token_hash = $1 AND purpose = $2 AND expires_at > $3',
        [hashOf(secret), purpose, new Date(now())],
      )
      return rows.length > 0
    },

    async reset(secret, password, asker) {
      // Who mistypes a new password keeps the link: it is looked at before it is used up.
      demandPassword(password, '')
      const member = await take(secret, 'reset')
      await query(
        `UPDATE assay.accounts SET password_hash = $2, email_proved_at = coalesce(email_proved_at, $3) WHERE id = $1`,
        [member.id, await hashPassword(password), new Date(now())],
      )
      // Whoever was in with the old password is out.
      await endSessions(member.id)
      await note('password changed', { person: `account:${member.id}`, asker })
      return member
    },

    async confirm(secret, asker) {
      const member = await take(secret, 'confirm')
      await query('UPDATE assay.accounts SET email_proved_at = coalesce(email_proved_at, $2) WHERE id = $1', [
        member.id,
        new Date(now()),
      ])
      await note('email confirmed', { person: `account:${member.id}`, asker })
      return { ...member, isEmailProved: true }
    },
  }
}

/** Control characters and runs of space go: a name is one line, in pages as in mails. */
const cleanName = (name: string): string =>
  [
    ...name
      .normalize('NFC')
      .replace(/[\p{C}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, NAME_LENGTH)
    .join('')

const greeting = ({ name }: Member): string => `Hello ${name},`

type MemberRow = {
  id: string
  email: string
  email_proved_at: Date | null
  name: string
  password_hash: string
  created_at: Date
}

const toMember = (row: MemberRow | undefined): Member | undefined =>
  row && {
    id: row.id,
    email: row.email,
    isEmailProved: row.email_proved_at !== null,
    name: row.name,
    createdAt: row.created_at,
  }
