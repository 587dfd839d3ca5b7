import type { Background } from './background.ts'
import { emailKey, type Parts } from './config.ts'
import { AccountError } from './errors.ts'
import { newSecret } from './hash.ts'
import type { Limiter } from './limits.ts'
import { type BrowserSession, createLinks, type Purpose } from './links.ts'
import type { SendMail } from './mail.ts'
import { type Member, type MemberRow, toMember } from './memberRow.ts'
import { demandPassword, hashPassword, isPassword } from './passwords.ts'
import { isEmail, NAME_LENGTH, oneLine } from './plainText.ts'

export type Members = {
  /** Throws `accounts.form`, `accounts.taken`, `accounts.too_many`. A mail asks to confirm the address. */
  create(given: { email: string; name: string; password: string }, asker: string): Promise<Member>
  /** Throws `accounts.password` for a wrong email or password, `accounts.too_many`. */
  check(email: string, password: string, asker: string): Promise<Member>
  find(id: string): Promise<Member | undefined>
  /**
   * Mails a link to change the password if the account exists. Reveals nothing: the limit counts the email as typed, and
   * look-up and mail happen in the background. Throws `accounts.too_many`.
   */
  forget(email: string, asker: string): Promise<void>
  /** Mails the link that confirms the address anew. */
  askToConfirm(member: Member, asker: string): Promise<void>
  /** The account of an unused, unexpired link. */
  ofLink(purpose: Purpose, secret: string): Promise<Member | undefined>
  /**
   * Changes the password by a mailed link and confirms the email. Ends all sessions, API keys and open links of the
   * account. Throws `accounts.link`, `accounts.form`.
   */
  reset(secret: string, password: string, asker: string): Promise<Member>
  /**
   * Confirms the email by a mailed link. The link alone proves who reads the mail, not whose account it is: it takes a
   * session of that account too, or its password. Ends all other sessions, API keys and open links. Throws
   * `accounts.link`, `accounts.form` without either, `accounts.password`, `accounts.too_many`.
   */
  confirm(secret: string, by: Confirmer, asker: string): Promise<Member>
}

/** Who confirms an email: the signed-in browser, or whoever types the password. */
export type Confirmer = { readonly session: BrowserSession | undefined; readonly password: string }

export type MemberLimits = {
  readonly failuresByAddress: Limiter
  readonly failuresByAccount: Limiter
  readonly failuresOfAccount: Limiter
  readonly mailsByAddress: Limiter
  readonly mailsByAccount: Limiter
}

export function createMembers(
  parts: Parts,
  limits: MemberLimits,
  send: SendMail,
  background: Background,
): Members {
  const { query, config, now, note } = parts
  const links = createLinks(parts)
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

  /** Checks a password within the limits on guesses. Throws `accounts.password` with `wrong`, `accounts.too_many`. */
  async function demandOwnPassword(
    email: string,
    password: string,
    { asker, wrong }: { asker: string; wrong: string },
  ): Promise<Member> {
    const account = emailKey(email)
    const both = `${account} ${asker}`
    // Counted before it is looked at: of guesses that come at once no more pass than of those that come one by one.
    // The narrowest limit first: what it refuses uses up none of the wider ones.
    await limits.failuresByAccount.take(both)
    await limits.failuresByAddress.take(asker)
    const row = await byEmail(email)
    await limits.failuresOfAccount.take(account).catch(async (thrown: unknown) => {
      // Whoever guesses from many addresses must not keep the owner out at those where they are known.
      if (!(await wasHere(row?.id ?? '', asker))) throw thrown
    })
    if (!(await isPassword(row?.password_hash, password))) {
      await note('password refused', { ...(row && { person: `account:${row.id}` }), asker })
      throw new AccountError('accounts.password', wrong)
    }
    await limits.failuresByAccount.forget(both)
    await limits.failuresByAddress.giveBack(asker)
    await limits.failuresOfAccount.giveBack(account)
    return toMember(row) as Member
  }

  async function mailConfirmation(member: Member): Promise<void> {
    const link = await links.create(member.id, 'confirm')
    await send({
      to: member.email,
      subject: 'Confirm your email for Assay',
      text: `${greeting(member)}\n\nAn account at ${config.publicUrl} was created with this address. If it was you, confirm your email:\n\n${link}\n\nOpen the link where you are signed in, or type your password there. The link works for seven days. If it was not you, do nothing.`,
    })
  }

  async function mailReset(email: string, asker: string): Promise<void> {
    const member = toMember(await byEmail(email))
    if (member === undefined) return
    const link = await links.create(member.id, 'reset')
    await note('new password asked for', { person: `account:${member.id}`, asker })
    await send({
      to: member.email,
      subject: 'A new password for Assay',
      text: `${greeting(member)}\n\nSet a new password here:\n\n${link}\n\nThe link works once, within one hour. If you did not ask for it, do nothing: your password stays the same.`,
    })
  }

  return {
    async create({ email, name, password }, asker) {
      const address = email.trim().normalize('NFC')
      if (!isEmail(address)) throw new AccountError('accounts.form', 'This is not an email address.')
      const called = oneLine(name, NAME_LENGTH)
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
      const member = await demandOwnPassword(email, password, { asker, wrong: 'Wrong email or password.' })
      await note('account signed in', { person: `account:${member.id}`, asker })
      return member
    },

    find: byId,

    async forget(email, asker) {
      // The caller's limit first: an email is counted only for requests that may send a mail.
      await limits.mailsByAddress.take(asker)
      // A mailed link works at least as long as this limit lasts, so using it up does not lock the owner out.
      await limits.mailsByAccount.take(`typed ${emailKey(email)}`).catch((thrown: unknown) => {
        throw thrown instanceof AccountError
          ? new AccountError(thrown.code, 'Too many emails were requested for this address within an hour.', {
              facts: thrown.facts,
              hint: 'The link in the latest mail works for one hour.',
            })
          : thrown
      })
      background.run('the mail for a new password', () => mailReset(email, asker))
    },

    async askToConfirm(member, asker) {
      if (member.isEmailProved) return
      await limits.mailsByAddress.take(asker)
      await limits.mailsByAccount.take(member.id)
      await mailConfirmation(member)
    },

    ofLink: links.find,

    async reset(secret, password, asker) {
      // Who mistypes a new password keeps the link: it is looked at before it is used up.
      demandPassword(password, '')
      const member = await links.use('reset', secret, { passwordHash: await hashPassword(password) })
      await note('password changed', { person: `account:${member.id}`, asker })
      return member
    },

    async confirm(secret, { session, password }, asker) {
      const member = await links.find('confirm', secret)
      const keep = session?.account === member?.id ? session : undefined
      if (member !== undefined && keep === undefined) {
        if (password === '')
          throw new AccountError('accounts.form', 'Type the password of this account, or sign in first.')
        await demandOwnPassword(member.email, password, { asker, wrong: 'Wrong password.' })
      }
      const confirmed = await links.use('confirm', secret, { keep })
      await note('email confirmed', { person: `account:${confirmed.id}`, asker })
      return confirmed
    },
  }
}

const greeting = ({ name }: Member): string => `Hello ${name},`
