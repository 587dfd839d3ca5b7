import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import type { Team, TeamList } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { counted } from '../../format/counted.ts'
import { askPerson, wordsOf } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Account.module.css'
import { JoinTeam } from './JoinTeam.tsx'
import { TeamPart } from './TeamPart.tsx'
import { TEAM_ROLE } from './teamText.ts'
import { useAction } from './useAction.ts'
import type { WaitingInvitation } from './useInvitation.ts'

type Props = {
  people: People
  invitation: WaitingInvitation
  /** Invitations by email need one that is confirmed. */
  hasConfirmedEmail: boolean
}

/** Teams that the user is a member of; whoever came by an invitation joins here. */
export function TeamsCard({ people, invitation, hasConfirmedEmail }: Props) {
  const [list, setList] = useState<TeamList>()
  const [open, setOpen] = useState<Team>()
  const { isBusy, failure, run } = useAction()
  const [loadFailure, setLoadFailure] = useState<string>()
  const newest = useRef(0)
  const load = useCallback(async () => {
    const turn = ++newest.current
    const found = (await askPerson(people, '/api/v1/teams')) as TeamList
    // An answer that comes late knows nothing of a team that was made meanwhile.
    if (turn === newest.current) setList(found)
  }, [people])
  useEffect(() => {
    load().catch(error => setLoadFailure(wordsOf(error)))
  }, [load])
  const show = (id: string) =>
    run(async () => setOpen((await askPerson(people, `/api/v1/teams/${id}`)) as Team))
  const handleSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const name = new FormData(form).get('name')
    void run(async () => {
      setOpen((await askPerson(people, '/api/v1/teams', { method: 'POST', body: { name } })) as Team)
      form.reset()
      await load()
    })
  }
  return (
    <Card
      title="Teams"
      sub="Share saved queries with a team. Editors change them, viewers read and run them."
    >
      <div className={styles.body}>
        <JoinTeam
          key={invitation.token}
          people={people}
          invitation={invitation}
          onJoin={team => {
            setOpen(team)
            void run(load)
          }}
        />
        {list?.teams.length === 0 && <p>You are not a member of a team.</p>}
        {list !== undefined && list.teams.length > 0 && (
          <ul className={styles.rows}>
            {list.teams.map(({ id, name, role, members }) => (
              <li key={id} className={open?.id === id ? styles.opened : undefined}>
                <span className={styles.what}>
                  <strong>{name}</strong>
                  <span className={styles.quiet}>
                    {TEAM_ROLE[role]}, {counted(members, 'member')}
                  </span>
                </span>
                <Button
                  small
                  disabled={isBusy}
                  aria-expanded={open?.id === id}
                  aria-label={`${open?.id === id ? 'Close' : 'Open'} the team ${name}`}
                  onClick={() => (open?.id === id ? setOpen(undefined) : void show(id))}
                >
                  {open?.id === id ? 'Close' : 'Open'}
                </Button>
                {open?.id === id && (
                  <TeamPart
                    people={people}
                    team={open}
                    limits={list.limits}
                    hasConfirmedEmail={hasConfirmedEmail}
                    onChange={async team => {
                      setOpen(team)
                      await load()
                    }}
                  />
                )}
              </li>
            ))}
          </ul>
        )}
        <form className={styles.form} onSubmit={handleSubmit}>
          <label>
            Name of the new team
            <input name="name" required maxLength={60} autoComplete="off" />
          </label>
          <Button type="submit" disabled={isBusy}>
            Create team
          </Button>
        </form>
        {list && (
          <p className={styles.quiet}>
            You can be a member of {list.limits.teams} teams. Queries that you share with a team become
            private when you leave it.
          </p>
        )}
        {(failure ?? loadFailure) && (
          <p role="alert" className={styles.failure}>
            {failure ?? loadFailure}
          </p>
        )}
      </div>
    </Card>
  )
}
