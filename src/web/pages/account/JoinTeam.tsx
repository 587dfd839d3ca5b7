import { useEffect, useState } from 'react'
import type { Team } from '#http/contract.ts'
import { askPerson, wordsOf } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Account.module.css'
import { timeText } from './accountView.ts'
import { TEAM_ROLE } from './teamText.ts'
import { useAction } from './useAction.ts'
import type { WaitingInvitation } from './useInvitation.ts'

type Offer = { readonly team: string; readonly role: Team['role']; readonly expiresAt: string }

type Props = { people: People; invitation: WaitingInvitation; onJoin: (team: Team) => void }

/** The invitation that the user came by: nothing happens before they press a button. */
export function JoinTeam({ people, invitation: { token, forget }, onJoin }: Props) {
  const [offer, setOffer] = useState<Offer>()
  const [refusal, setRefusal] = useState<string>()
  const { isBusy, failure, run } = useAction()
  useEffect(() => {
    if (token === undefined) return
    askPerson(people, '/api/v1/teams/invitations', { method: 'POST', body: { token } }).then(
      found => setOffer(found as Offer),
      error => setRefusal(wordsOf(error)),
    )
  }, [people, token])
  const handleJoin = () =>
    run(async () => {
      const team = await askPerson(people, '/api/v1/teams/memberships', { method: 'POST', body: { token } })
      forget()
      onJoin(team as Team)
    })
  if (refusal !== undefined)
    return (
      <p className={styles.row}>
        <span role="alert" className={styles.failure}>
          {refusal}
        </span>
        <Button small onClick={forget}>
          Dismiss
        </Button>
      </p>
    )
  if (offer === undefined) return null
  return (
    <div className={styles.made} role="status">
      <p>
        You are invited to the team <strong>{offer.team}</strong> as{' '}
        {offer.role === 'editor' ? 'an editor' : 'a viewer'}. The invitation works once and expires{' '}
        {timeText(offer.expiresAt)}.
      </p>
      <p className={styles.row}>
        <Button look="primary" disabled={isBusy} onClick={() => void handleJoin()}>
          Join as {TEAM_ROLE[offer.role].toLowerCase()}
        </Button>
        <Button disabled={isBusy} onClick={forget}>
          Not now
        </Button>
      </p>
      {failure && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </div>
  )
}
