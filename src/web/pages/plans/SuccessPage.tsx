import { useEffect, useState } from 'react'
import { browserApi } from '../../api.ts'
import { Card } from '../../blocks/Card.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { PageError } from '../../shell/PageError.tsx'
import { ButtonLink } from '../../ui/Button.tsx'
import styles from './Plans.module.css'

/** Pauses before each look, in milliseconds: half a minute in all. */
const PAUSES_MS = [0, 2000, 4000, 8000, 16_000]

type Found = 'asking' | 'has' | 'none' | 'unanswered'

const WORDS: Readonly<Record<Found, string>> = {
  asking: 'Asking the server what you may use …',
  has: 'The server confirms it: your features are active.',
  none: 'The server knows of no features of yours. You are not signed in, and this server sells nothing.',
  unanswered: 'The server did not answer. Load this page again in a moment.',
}

export const meta = () => [{ title: 'Subscription · Assay' }, { name: 'robots', content: 'noindex' }]

/** Where a payment would end: says what the server knows, and never grants anything. */
export default function SuccessPage() {
  const [found, setFound] = useState<Found>()
  useEffect(() => {
    const gone = new AbortController()
    void look(gone.signal, setFound)
    return () => gone.abort()
  }, [])
  return (
    <div className={styles.page}>
      <HeadingBlock title="Subscription" question="What you may use is what this server says of you." />
      <Card title="What the server knows">
        <div className={styles.words}>
          <p>This server takes no payments and has no accounts: nothing was charged here.</p>
          <p>
            If you paid for a subscription elsewhere, keep the receipt and write to whom you paid. Pricing
            says what is open on this server and how to get more.
          </p>
          <p role="status" className={styles.status}>
            {found && WORDS[found]}
          </p>
        </div>
      </Card>
      <p className={styles.ways}>
        <ButtonLink to="/pricing" look="primary">
          Pricing
        </ButtonLink>
        <ButtonLink to="/Contact">Contact Us</ButtonLink>
      </p>
    </div>
  )
}

async function look(signal: AbortSignal, tell: (found: Found) => void): Promise<void> {
  tell('asking')
  let last: Found = 'unanswered'
  for (const pause of PAUSES_MS) {
    await new Promise(resolve => setTimeout(resolve, pause))
    if (signal.aborted) return
    last = await browserApi.features(signal).then(
      features => (Object.values(features).includes(true) ? 'has' : 'none'),
      () => 'unanswered',
    )
    if (signal.aborted) return
    if (last === 'has') break
  }
  tell(last)
}

export const ErrorBoundary = PageError
