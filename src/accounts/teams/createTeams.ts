import { randomUUID } from 'node:crypto'
import type { Person } from '#kernel/people.ts'
import type { Background } from '../background.ts'
import { emailKey, type Parts, personKey } from '../config.ts'
import { AccountError } from '../errors.ts'
import { hashOf, newSecret } from '../hash.ts'
import type { Limiter } from '../limits.ts'
import type { SendMail } from '../mail.ts'
import { isEmail, oneLine } from '../plainText.ts'
import { invitationMail, isLikeAddress } from './invitationMail.ts'
import { displayName } from './memberName.ts'

export const TEAM_ROLES = ['owner', 'editor', 'viewer'] as const
export type TeamRole = (typeof TEAM_ROLES)[number]
/** Nobody becomes an owner by a link. */
export const INVITED_ROLES = ['editor', 'viewer'] as const
export type InvitedRole = (typeof INVITED_ROLES)[number]

export const TEAM_LIMITS = {
  /** Characters of a name. */
  name: 60,
  /** Teams that one user is a member of. */
  teams: 20,
  /** Members and open invitations of one team. */
  members: 50,
  invitationDays: 7,
} as const

const DAY_MS = 24 * 3600_000

export type Team = {
  readonly id: string
  readonly name: string
  /** Role of the user who lists the team. */
  readonly role: TeamRole
  readonly members: number
  readonly createdAt: Date
}
export type TeamMember = {
  readonly id: string
  readonly name: string
  readonly role: TeamRole
  readonly isSelf: boolean
  readonly joinedAt: Date
}
export type Invitation = {
  readonly id: string
  readonly role: InvitedRole
  /** Null for a link that the inviter hands over. */
  readonly email: string | null
  readonly createdAt: Date
  readonly expiresAt: Date
}
export type TeamDetail = Team & {
  readonly people: readonly TeamMember[]
  /** Empty unless an owner asks. */
  readonly invitations: readonly Invitation[]
}
/** What the holder of an invitation link sees. */
export type InvitationOffer = { readonly team: string; readonly role: InvitedRole; readonly expiresAt: Date }

/** Everything throws `accounts.team` for a team that does not exist or that the person is not a member of. */
export type Teams = {
  list(person: Person): Promise<Team[]>
  read(person: Person, team: string): Promise<TeamDetail>
  /** Throws `accounts.form`, `accounts.team_full`. */
  create(person: Person, name: string): Promise<TeamDetail>
  /** Throws `accounts.form`, `accounts.team_role`. */
  rename(person: Person, team: string, name: string): Promise<TeamDetail>
  /** Throws `accounts.team_role`. */
  delete(person: Person, team: string): Promise<void>
  /**
   * Mails a link that one person can join by, or returns it where no email is given. The answer is the same whether the
   * email has an account or not: none is looked up. Throws `accounts.team_role`, `accounts.team_full`,
   * `accounts.team_email`, `accounts.form`, `accounts.too_many`.
   */
  invite(
    person: Person,
    team: string,
    invitation: { role: InvitedRole; email: string | undefined; asker: string },
  ): Promise<Invitation & { link: string | null }>
  /** Throws `accounts.team_role`, `accounts.team_invitation`. */
  withdraw(person: Person, team: string, invitation: string): Promise<void>
  /** Throws `accounts.team_invitation`, `accounts.too_many`. */
  offer(token: string, asker: string): Promise<InvitationOffer>
  /** Throws `accounts.team_invitation`, `accounts.team_full`, `accounts.too_many`. */
  join(person: Person, token: string, asker: string): Promise<TeamDetail>
  /** Throws `accounts.team_role`, `accounts.team_member`, `accounts.team_last_owner`. */
  setRole(person: Person, team: string, member: string, role: TeamRole): Promise<TeamDetail>
  /** Removes a member; a member may remove themselves. Throws as `setRole`. */
  remove(person: Person, team: string, member: string): Promise<void>
  /** The memberships of a person, for the export of everything that is theirs. */
  export(person: Person): Promise<unknown>
  /** Ends all memberships. A team without another owner is deleted. */
  deleteAll(person: Person): Promise<void>
}

export type TeamLimiters = {
  /** Mails by network and by email address, shared with the other mails of accounts. */
  readonly mailsByAddress: Limiter
  readonly mailsByAccount: Limiter
  /** Tokens tried by one network. */
  readonly tokensByAddress: Limiter
}

export function createTeams(
  { query, config, now, note }: Parts,
  limits: TeamLimiters,
  send: SendMail,
  background: Background,
): Teams {
  const roleIn = async (person: Person, team: string): Promise<TeamRole> => {
    const [row] = await query<{ role: TeamRole }>(
      'SELECT role FROM assay.team_members WHERE team::text = $1 AND member = $2',
      [team, personKey(person)],
    )
    if (row === undefined) throw unknownTeam()
    return row.role
  }
  const demandOwner = async (person: Person, team: string): Promise<void> => {
    if ((await roleIn(person, team)) !== 'owner') throw ownersOnly()
  }
  const listed = (person: Person, team: string | null) =>
    query<Team>(
      `SELECT t.id::text, t.name, m.role, t.created_at AS "createdAt",
  (SELECT count(*)::integer FROM assay.team_members o WHERE o.team = t.id) AS members
FROM assay.team_members m JOIN assay.teams t ON t.id = m.team
WHERE m.member = $1 AND ($2::text IS NULL OR t.id::text = $2) ORDER BY t.name, t.id`,
      [personKey(person), team],
    )
  const read = async (person: Person, id: string): Promise<TeamDetail> => {
    const [team] = await listed(person, id)
    if (team === undefined) throw unknownTeam()
    const [people, invitations] = await Promise.all([
      query<TeamMember>(
        `SELECT id::text, name, role, member = $2 AS "isSelf", joined_at AS "joinedAt"
FROM assay.team_members WHERE team::text = $1 ORDER BY joined_at, id`,
        [id, personKey(person)],
      ),
      team.role === 'owner'
        ? query<Invitation>(
            `SELECT id::text, role, email, created_at AS "createdAt", expires_at AS "expiresAt"
FROM assay.team_invitations WHERE team::text = $1 AND expires_at > $2 ORDER BY created_at, id`,
            [id, new Date(now())],
          )
        : [],
    ])
    return { ...team, people, invitations }
  }
  const setRole = async (person: Person, team: string, member: string, role: TeamRole | null) => {
    // Whoever is no member learns nothing, not even whether an id has the right form.
    await roleIn(person, team)
    if (!isUuid(member)) throw unknownMember()
    const [row] = await query<{ outcome: string }>(
      'SELECT assay.set_team_role($1::uuid, $2, $3::uuid, $4) AS outcome',
      [team, personKey(person), member, role],
    )
    switch (row?.outcome) {
      case 'done':
      case 'own':
        break
      case 'no_member':
        throw unknownMember()
      case 'forbidden':
        throw ownersOnly()
      case 'last_owner':
        throw new AccountError('accounts.team_last_owner', 'This is the only owner of the team.', {
          hint: 'Make another member an owner first, or delete the team.',
        })
      default:
        throw unknownTeam()
    }
    const event =
      role !== null ? 'team role changed' : row.outcome === 'own' ? 'team left' : 'team member removed'
    await note(event, { person: personKey(person), facts: { team, member, ...(role && { role }) } })
  }

  return {
    list: person => listed(person, null),
    read,
    async create(person, given) {
      const name = nameOf(given)
      const id = randomUUID()
      const made = await query(
        `WITH own AS (SELECT count(*) AS teams FROM assay.team_members WHERE member = $3), made AS (
  INSERT INTO assay.teams (id, name, created_at)
  SELECT $1::uuid, $2::text, $4::timestamptz FROM own WHERE own.teams < ${TEAM_LIMITS.teams} RETURNING id
)
INSERT INTO assay.team_members (id, team, member, name, role, joined_at)
SELECT $5::uuid, made.id, $3, $6::text, 'owner', $4 FROM made RETURNING team`,
        [id, name, personKey(person), new Date(now()), randomUUID(), displayName(person)],
      )
      if (made.length === 0) throw tooManyTeams()
      await note('team made', { person: personKey(person), facts: { team: id } })
      return read(person, id)
    },
    async rename(person, team, given) {
      await demandOwner(person, team)
      await query('UPDATE assay.teams SET name = $2 WHERE id::text = $1', [team, nameOf(given)])
      await note('team renamed', { person: personKey(person), facts: { team } })
      return read(person, team)
    },
    async delete(person, team) {
      await demandOwner(person, team)
      await query('DELETE FROM assay.teams WHERE id::text = $1', [team])
      await note('team deleted', { person: personKey(person), facts: { team } })
    },
    async invite(person, team, { role, email: given, asker }) {
      await demandOwner(person, team)
      const email = given === undefined ? null : given.trim().normalize('NFC')
      if (email !== null) {
        if (!isEmail(email)) throw new AccountError('accounts.form', 'This is not an email address.')
        if (person.email === null)
          throw new AccountError(
            'accounts.team_email',
            'Invitations by email need a confirmed email of yours.',
            {
              hint: 'Confirm it on the account page, or make an invite link and send it yourself.',
            },
          )
        await limits.mailsByAddress.take(asker)
        await limits.mailsByAccount.take(`invited ${emailKey(email)}`)
      }
      const [at, token, id] = [now(), newSecret(), randomUUID()]
      const [createdAt, expiresAt] = [new Date(at), new Date(at + TEAM_LIMITS.invitationDays * DAY_MS)]
      const [row] = await query<{ outcome: string }>(
        'SELECT assay.invite_to_team($1::uuid, $2, $3::uuid, $4, $5, $6, $7, $8, $9) AS outcome',
        [team, personKey(person), id, hashOf(token), role, email, createdAt, expiresAt, TEAM_LIMITS.members],
      )
      if (row?.outcome === 'full')
        throw new AccountError(
          'accounts.team_full',
          `A team can have ${TEAM_LIMITS.members} members and open invitations.`,
          { hint: 'Remove a member or withdraw an invitation.' },
        )
      if (row?.outcome === 'forbidden') throw ownersOnly()
      if (row?.outcome !== 'done') throw unknownTeam()
      await note('team invitation made', {
        person: personKey(person),
        asker,
        facts: { team, invitation: id, role, isMail: email !== null },
      })
      const link = `${config.publicUrl}/account#join=${token}`
      if (email !== null) {
        const { name } = await read(person, team)
        background.run('the mail of a team invitation', () =>
          send(
            invitationMail({
              to: email,
              team: name,
              inviter: displayName(person),
              role,
              link,
              site: config.publicUrl,
              days: TEAM_LIMITS.invitationDays,
            }),
          ),
        )
      }
      return { id, role, email, createdAt, expiresAt, link: email === null ? link : null }
    },
    async withdraw(person, team, invitation) {
      await demandOwner(person, team)
      const gone = await query(
        'DELETE FROM assay.team_invitations WHERE team::text = $1 AND id::text = $2 RETURNING id',
        [team, invitation],
      )
      if (gone.length === 0) throw unknownInvitation()
      await note('team invitation withdrawn', { person: personKey(person), facts: { team, invitation } })
    },
    async offer(token, asker) {
      await limits.tokensByAddress.take(asker)
      const [row] = await query<InvitationOffer>(
        `SELECT t.name AS team, i.role, i.expires_at AS "expiresAt"
FROM assay.team_invitations i JOIN assay.teams t ON t.id = i.team WHERE i.token_hash = $1 AND i.expires_at > $2`,
        [hashOf(token), new Date(now())],
      )
      if (row === undefined) throw unknownInvitation()
      return row
    },
    async join(person, token, asker) {
      await limits.tokensByAddress.take(asker)
      const [row] = await query<{ outcome: string; team: string }>(
        'SELECT outcome, team::text FROM assay.join_team($1, $2, $3, $4::uuid, $5, $6)',
        [
          hashOf(token),
          personKey(person),
          displayName(person),
          randomUUID(),
          new Date(now()),
          TEAM_LIMITS.teams,
        ],
      )
      if (row === undefined || row.outcome === 'unknown') throw unknownInvitation()
      if (row.outcome === 'full') throw tooManyTeams()
      if (row.outcome === 'done')
        await note('team joined', { person: personKey(person), asker, facts: { team: row.team } })
      return read(person, row.team)
    },
    async setRole(person, team, member, role) {
      await setRole(person, team, member, role)
      return read(person, team)
    },
    remove: (person, team, member) => setRole(person, team, member, null),
    export: person => listed(person, null),
    async deleteAll(person) {
      const member = personKey(person)
      await query(
        `DELETE FROM assay.teams t WHERE EXISTS (
  SELECT 1 FROM assay.team_members m WHERE m.team = t.id AND m.member = $1 AND m.role = 'owner'
) AND NOT EXISTS (
  SELECT 1 FROM assay.team_members m WHERE m.team = t.id AND m.member <> $1 AND m.role = 'owner'
)`,
        [member],
      )
      await query('DELETE FROM assay.team_members WHERE member = $1', [member])
      await query('DELETE FROM assay.team_invitations WHERE invited_by = $1', [member])
    },
  }
}

function nameOf(given: string): string {
  const name = oneLine(given, TEAM_LIMITS.name)
  if (name === '') throw new AccountError('accounts.form', 'A team needs a name.')
  // Names go out in mails to people who have never been here.
  if (isLikeAddress(name))
    throw new AccountError('accounts.form', 'The name of a team must not contain a web or email address.')
  return name
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const unknownTeam = (): AccountError =>
  new AccountError('accounts.team', 'No team has this id, or you are not a member of it.', {
    hint: 'GET /api/v1/teams lists your teams.',
  })
const unknownMember = (): AccountError =>
  new AccountError('accounts.team_member', 'The team has no member with this id.')
const unknownInvitation = (): AccountError =>
  new AccountError('accounts.team_invitation', 'This invitation was used or withdrawn, or it has expired.', {
    hint: 'Ask an owner of the team for a new one.',
  })
const ownersOnly = (): AccountError =>
  new AccountError('accounts.team_role', 'Only an owner of the team can do this.', {
    hint: 'Ask an owner of the team.',
  })
const tooManyTeams = (): AccountError =>
  new AccountError('accounts.team_full', `You can be a member of ${TEAM_LIMITS.teams} teams.`, {
    hint: 'Leave a team that you no longer need.',
  })
