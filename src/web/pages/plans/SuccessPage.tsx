import { useEffect, useState } from 'react'
import type { LoaderFunctionArgs, MetaArgs } from 'react-router'
import { siteContext } from '#http/context.ts'
import { Card } from '../../blocks/Card.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { askPerson } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'
import { usePeople } from '../../people/usePeople.ts'
import { PageError } from '../../shell/PageError.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { pageMeta } from '../pageMeta.ts'
import styles from './Plans.module.css'

/** Pauses before each look, in milliseconds: a minute in all. */
const PAUSES_MS = [0, 1000, 2000, 4000, 8000, 15_000, 30_000]

type Found = 'asking' | 'has' | 'none' | 'unanswered' | 'nobody'

const WORDS: Readonly<Record<Found, string>> = {
  asking: 'Asking the server what you may use. The payment provider’s word may take a moment …',
  has: 'The server confirms it: Premium is active.',
  none: 'The payment provider has not confirmed your payment yet. If you paid, reload this page in a few minutes.',
  unanswered: 'The server did not answer. Load this page again in a moment.',
  nobody: 'You are not signed in, so your access cannot be shown. Sign in with the account you paid with.',
}

export const loader = ({ context }: LoaderFunctionArgs) => ({ publicUrl: context.get(siteContext).publicUrl })

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Subscription',
    path: '/subscription-success',
    description: 'Payment result and subscription status.',
    publicUrl: loaderData?.publicUrl,
  })

/** Where a payment ends: waits for what the server knows, and never grants anything. */
export default function SuccessPage() {
  const { loading, queryToken, people } = usePeople()
  const [found, setFound] = useState<Found>('asking')
  const isNobody = queryToken === null
  useEffect(() => {
    if (people === undefined || loading) return
    if (isNobody) {
      setFound('nobody')
      return
    }
    const gone = new AbortController()
    void look(people, gone.signal, setFound)
    return () => gone.abort()
  }, [people, loading, isNobody])
  return (
    <div className={styles.page}>
      <HeadingBlock title="Subscription" question="Your access as recorded on this server." />
      <Card title="Your subscription">
        <div className={styles.words}>
          <p role="status" className={styles.status}>
            {WORDS[found]}
          </p>
        </div>
      </Card>
      <p className={styles.ways}>
        {found === 'has' ? (
          <ButtonLink to="/" look="primary">
            Home
          </ButtonLink>
        ) : (
          <ButtonLink to="/pricing" look="primary">
            Pricing
          </ButtonLink>
        )}
        {found === 'nobody' && people && (
          <Button onClick={() => void people.signIn('/subscription-success')}>Sign In</Button>
        )}
        <ButtonLink to="/Contact">Contact Us</ButtonLink>
      </p>
    </div>
  )
}

async function look(people: People, signal: AbortSignal, tell: (found: Found) => void): Promise<void> {
  tell('asking')
  let last: Found = 'unanswered'
  for (const pause of PAUSES_MS) {
    await new Promise(resolve => setTimeout(resolve, pause))
    if (signal.aborted) return
    last = await askPerson(people, '/api/v1/features', { signal }).then(
      features => (Object.values(features as Record<string, boolean>).includes(true) ? 'has' : 'none'),
      () => 'unanswered',
    )
    if (signal.aborted) return
    if (last === 'has') break
  }
  tell(last)
  // The bar and the limit of visits follow.
  if (last === 'has') people.refresh()
}

export const ErrorBoundary = PageError
