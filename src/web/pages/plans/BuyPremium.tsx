import { useEffect, useState } from 'react'
import type { OwnSubscription, Plans } from '#http/contract.ts'
import { Card } from '../../blocks/Card.tsx'
import { dayText } from '../../format/day.ts'
import { manageSubscription } from '../../people/account/manageSubscription.ts'
import { askPerson, wordsOf } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import { usePeople } from '../../people/usePeople.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './Plans.module.css'
import { type PlanPrice, priceText } from './priceText.ts'

/** The way to Premium: prices for all, buttons once it is known who reads. */
export function BuyPremium({ plans }: { plans: Plans }) {
  const { loading, queryToken, people } = usePeople()
  return (
    <Card title="Premium" sub="One plan, by the month or by the year; ended whenever you like">
      <div className={styles.words}>
        {plans.prices.length === 0 ? (
          <p>The payment provider does not say its prices just now. Load this page again in a moment.</p>
        ) : (
          <ul className={styles.prices}>
            {plans.prices.map(price => (
              <li key={price.period}>{priceText(price)}</li>
            ))}
          </ul>
        )}
        {people === undefined || loading ? (
          <p className={styles.ways}>Sign in to buy.</p>
        ) : queryToken === null ? (
          <p className={styles.ways}>
            <Button look="primary" onClick={() => void people.signIn('/pricing')}>
              Sign in to buy
            </Button>
          </p>
        ) : (
          <Buy key={queryToken} people={people} prices={plans.prices} />
        )}
      </div>
    </Card>
  )
}

function Buy({ people, prices }: { people: People; prices: readonly PlanPrice[] }) {
  const [own, setOwn] = useState<OwnSubscription['subscription']>()
  const [failure, setFailure] = useState<string>()
  const [isLeaving, setLeaving] = useState(false)
  useEffect(() => {
    const gone = new AbortController()
    askPerson(people, '/api/v1/billing/subscription', { signal: gone.signal }).then(
      answer => setOwn((answer as OwnSubscription).subscription),
      error => {
        if (!gone.signal.aborted) setFailure(wordsOf(error))
      },
    )
    return () => gone.abort()
  }, [people])

  async function handleBuy(price: PlanPrice['period']): Promise<void> {
    setLeaving(true)
    setFailure(undefined)
    try {
      const answer = await askPerson(people, '/api/v1/billing/checkout', { method: 'POST', body: { price } })
      window.location.assign((answer as { url: string }).url)
    } catch (error) {
      setFailure(wordsOf(error))
      setLeaving(false)
    }
  }

  return (
    <>
      {own && <p>{subscriptionText(own)}</p>}
      <p className={styles.ways}>
        {own?.isEntitled !== true &&
          prices.map(price => (
            <Button
              key={price.period}
              look="primary"
              disabled={isLeaving}
              onClick={() => void handleBuy(price.period)}
            >
              Go Premium, {price.period}
            </Button>
          ))}
        {own && <Button onClick={() => void manageSubscription(people)}>Manage Subscription</Button>}
      </p>
      <p role="status">{failure}</p>
    </>
  )
}

function subscriptionText(own: NonNullable<OwnSubscription['subscription']>): string {
  const until = own.periodEnd === null ? '' : dayText(own.periodEnd.slice(0, 10))
  if (!own.isEntitled)
    return `Your subscription gives nothing now: the payment provider calls it ${own.status}.`
  if (own.status === 'past_due') return 'You have Premium. The last payment failed and is tried again.'
  if (own.endsAtPeriodEnd) return `You have Premium until ${until}.`
  return until === '' ? 'You have Premium.' : `You have Premium. It is renewed on ${until}.`
}
