import { type FormEvent, useState } from 'react'
import type { Team, TeamInvitation, TeamList } from '#http/contract.ts'
import { CopyText } from '../../blocks/CopyText.tsx'
import { askPerson } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Account.module.css'
import { timeText } from './accountView.ts'
import { TEAM_ROLE } from './teamText.ts'
import { useAction } from './useAction.ts'

type Props = {
  people: People
  team: Team
  limits: TeamList['limits']
  hasConfirmedEmail: boolean
  /** Undefined once the user is no longer a member. */
  onChange: (team: Team | undefined) => Promise<void>
}

/** Members of a team; for its owners also invitations, name and deletion. */
export function TeamPart({ people, team, limits, hasConfirmedEmail, onChange }: Props) {
  const [said, setSaid] = useState<string>()
  const [link, setLink] = useState<string>()
  const [isDeleting, setDeleting] = useState(false)
  const { isBusy, failure, run } = useAction()
  const path = `/api/v1/teams/${team.id}`
  const isOwner = team.role === 'owner'
  const ask = (rest: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', body?: object) =>
    askPerson(people, path + rest, { method, ...(body && { body }) })
  const again = async () => onChange((await ask('', 'GET')) as Team)

  const setRole = (member: string, role: string) =>
    run(async () => onChange((await ask(`/members/${member}`, 'PUT', { role })) as Team))
  const remove = (member: string, isSelf: boolean) =>
    run(async () => {
      await ask(`/members/${member}`, 'DELETE')
      if (isSelf) await onChange(undefined)
      else await again()
    })
  const invite = (role: string, email: string | undefined) =>
    run(async () => {
      setLink(undefined)
      setSaid(undefined)
      const made = (await ask('/invitations', 'POST', { role, ...(email && { email }) })) as TeamInvitation
      if (made.link === null) setSaid(`An invitation was sent to ${made.email}.`)
      else setLink(made.link)
      await again()
    })
  const handleInvite = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const given = new FormData(form)
    const email = String(given.get('email') ?? '').trim()
    void invite(String(given.get('role')), email === '' ? undefined : email).then(() => form.reset())
  }
  const handleRename = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = new FormData(event.currentTarget).get('name')
    void run(async () => {
      await onChange((await ask('', 'PUT', { name })) as Team)
      setSaid('Renamed.')
    })
  }
  return (
    <section className={styles.team} aria-label={`Team ${team.name}`}>
      <h3>Members</h3>
      <ul className={styles.rows}>
        {team.people.map(({ id, name, role, isSelf, joinedAt }) => (
          <li key={id}>
            <span className={styles.what}>
              <strong>
                {name}
                {isSelf && ' (you)'}
              </strong>
              <span className={styles.quiet}>
                {TEAM_ROLE[role]}, since {timeText(joinedAt)}
              </span>
            </span>
            <span className={styles.row}>
              {isOwner && (
                <select
                  className={styles.choice}
                  aria-label={`Role of ${name}`}
                  value={role}
                  disabled={isBusy}
                  onChange={event => void setRole(id, event.currentTarget.value)}
                >
                  {Object.entries(TEAM_ROLE).map(([value, label]) => (
                    <option key={value} value={value}>
                      {label}
                    </option>
                  ))}
                </select>
              )}
              {(isOwner || isSelf) && (
                <Button
                  small
                  disabled={isBusy}
                  aria-label={isSelf ? `Leave the team ${team.name}` : `Remove ${name} from the team`}
                  onClick={() => void remove(id, isSelf)}
                >
                  {isSelf ? 'Leave' : 'Remove'}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ul>
      {isOwner && (
        <>
          <h3>Invitations</h3>
          {team.invitations.length > 0 && (
            <ul className={styles.rows}>
              {team.invitations.map(({ id, email, role, expiresAt }) => (
                <li key={id}>
                  <span className={styles.what}>
                    <strong>{email ?? 'Invite link'}</strong>
                    <span className={styles.quiet}>
                      {TEAM_ROLE[role]}, expires {timeText(expiresAt)}
                    </span>
                  </span>
                  <Button
                    small
                    disabled={isBusy}
                    aria-label={`Withdraw the invitation for ${email ?? 'whoever has the link'}`}
                    onClick={() =>
                      void run(async () => {
                        await ask(`/invitations/${id}`, 'DELETE')
                        setLink(undefined)
                        await again()
                      })
                    }
                  >
                    Withdraw
                  </Button>
                </li>
              ))}
            </ul>
          )}
          {link && (
            <div className={styles.made} role="status">
              <p>
                One user can join by this link within {limits.invitationDays} days. It is shown only once.
              </p>
              <CopyText text={link} what="the link" />
            </div>
          )}
          <form className={styles.form} onSubmit={handleInvite}>
            <label>
              Email
              <input
                name="email"
                type="email"
                maxLength={254}
                autoComplete="off"
                disabled={!hasConfirmedEmail}
                placeholder={
                  hasConfirmedEmail ? 'Leave empty for a link' : 'Needs a confirmed email of yours'
                }
              />
            </label>
            <label>
              Role
              <select name="role" defaultValue="editor">
                <option value="editor">Editor</option>
                <option value="viewer">Viewer</option>
              </select>
            </label>
            <Button type="submit" disabled={isBusy}>
              Invite
            </Button>
          </form>
          <p className={styles.quiet}>
            {limits.members} members and open invitations are possible. Assay does not tell you whether an
            email has an account.
          </p>
          <form className={styles.form} onSubmit={handleRename}>
            <label>
              Name of the team
              <input name="name" required maxLength={60} autoComplete="off" defaultValue={team.name} />
            </label>
            <Button type="submit" disabled={isBusy}>
              Rename
            </Button>
          </form>
          <p className={styles.row}>
            {isDeleting ? (
              <>
                <Button
                  disabled={isBusy}
                  onClick={() =>
                    void run(async () => {
                      await ask('', 'DELETE')
                      await onChange(undefined)
                    })
                  }
                >
                  Delete for everyone
                </Button>
                <Button disabled={isBusy} onClick={() => setDeleting(false)}>
                  Keep the team
                </Button>
                <span className={styles.quiet}>Shared queries stay with their owners, as private ones.</span>
              </>
            ) : (
              <Button disabled={isBusy} onClick={() => setDeleting(true)}>
                Delete team
              </Button>
            )}
          </p>
        </>
      )}
      {said && (
        <p role="status" className={styles.quiet}>
          {said}
        </p>
      )}
      {failure && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </section>
  )
}
