import { useEffect, useState } from 'react'
import type { Team } from '#http/contract.ts'
import { askPerson, wordsOf } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Account.module.css'
import { timeText } from './accountView.ts'
import { forgetInvitation, TEAM_ROLE, waitingInvitation } from './teamText.ts'
import { useAction } from './useAction.ts'

type Offer = { readonly team: string; readonly role: Team['role']; readonly expiresAt: string }

/** The invitation that the user came by: nothing happens before they press a button. */
export function JoinTeam({ people, onJoin }: { people: People; onJoin: (team: Team) => void }) {
  const [token, setToken] = useState<string>()
  const [offer, setOffer] = useState<Offer>()
  const [refusal, setRefusal] = useState<string>()
  const { isBusy, failure, run } = useAction()
  useEffect(() => {
    const waiting = waitingInvitation()
    if (waiting === undefined) return
    setToken(waiting)
    askPerson(people, '/api/v1/teams/invitations', { method: 'POST', body: { token: waiting } }).then(
      found => setOffer(found as Offer),
      error => {
        forgetInvitation()
        setRefusal(wordsOf(error))
      },
    )
  }, [people])
  const forget = () => {
    forgetInvitation()
    setToken(undefined)
    setOffer(undefined)
    setRefusal(undefined)
  }
  const handleJoin = () =>
    run(async () => {
      const team = await askPerson(people, '/api/v1/teams/memberships', { method: 'POST', body: { token } })
      forget()
      onJoin(team as Team)
    })
  if (refusal !== undefined)
    return (
      <p role="alert" className={styles.failure}>
        {refusal}
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
