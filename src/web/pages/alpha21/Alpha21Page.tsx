import { lazy, Suspense } from 'react'
import {
  Link,
  type LoaderFunctionArgs,
  type MetaArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
} from 'react-router'
import type { SignalSummary } from '#http/contract.ts'
import { asksAnew } from '../../assay/address.ts'
import { Card } from '../../blocks/Card.tsx'
import { CountStrip } from '../../blocks/CountStrip.tsx'
import { HeadingBlock } from '../../blocks/HeadingBlock.tsx'
import { addressWith, needsFigures } from '../../blocks/view.ts'
import { PageError } from '../../shell/PageError.tsx'
import { FileLink } from '../../ui/Button.tsx'
import { pageMeta } from '../pageMeta.ts'
import styles from './Alpha21.module.css'
import { loadAlpha21 } from './loadAlpha21.server.ts'
import { Method } from './Method.tsx'
import { Records } from './Records.tsx'
import { SignalCard } from './SignalCard.tsx'
import { FAMILY_WORDS, PATH } from './words.ts'

// Shown to those who ask for them.
const Composite = lazy(async () => ({ default: (await import('./Composite.tsx')).Composite }))
const SignalSheet = lazy(async () => ({ default: (await import('./SignalSheet.tsx')).SignalSheet }))

export const loader = ({ url, context }: LoaderFunctionArgs) => loadAlpha21(url, context)

const READ = new Set(['signal', 'composite'])

export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  return asksAnew(currentUrl, nextUrl, key => READ.has(key) || needsFigures(key))
}

export const meta = ({ loaderData }: MetaArgs<typeof loader>) =>
  pageMeta({
    title: 'Alpha21: signals with a public record',
    path: PATH,
    description: loaderData?.description ?? 'Signals of bitcoin with fixed rules and a public record.',
    publicUrl: loaderData?.publicUrl,
  })

/** Twenty-one signals with fixed rules: what each says, and what came of it when it said so before. */
export default function Alpha21Page() {
  const { items, tests, mark, records, open, composite } = useLoaderData<typeof loader>()
  const families = Map.groupBy(items, ({ family }) => family)
  const order = Object.keys(FAMILY_WORDS) as SignalSummary['family'][]
  return (
    <>
      <HeadingBlock
        title="Alpha21"
        question={
          <>
            What do 21 fixed rules say about bitcoin today, and how did their past signals perform?{' '}
            <strong className={styles.advice}>This is a record, not advice.</strong>
          </>
        }
        mark={mark}
      >
        <span className={styles.badge}>beta</span>
        <FileLink icon="download" label="All records as CSV" href="/api/v1/signals/records?format=csv" />
        <FileLink icon="code" label="All signals as JSON" href="/api/v1/signals" />
      </HeadingBlock>
      <Counts items={items} tests={tests} />
      <div className={styles.page}>
        {order.map(family => {
          const own = families.get(family) ?? []
          return (
            own.length > 0 && (
              <section key={family} aria-labelledby={`family-${family}`} className={styles.family}>
                <h2 id={`family-${family}`}>{FAMILY_WORDS[family].title}</h2>
                <p>{FAMILY_WORDS[family].about}</p>
                <ul className={styles.cards}>
                  {own.map(item => (
                    <SignalCard key={item.id} item={item} />
                  ))}
                </ul>
              </section>
            )
          )
        })}
        <Records rows={records} items={items} />
        <Shown composite={composite} items={items} />
        <Method tests={tests} />
      </div>
      <Suspense>{open && <SignalSheet key={open.signal.id} open={open} />}</Suspense>
    </>
  )
}

function Counts({ items, tests }: { items: readonly SignalSummary[]; tests: number }) {
  const current = items.filter(({ isCurrent }) => isCurrent)
  const now = (state: SignalSummary['state']) => current.filter(item => item.state === state).length
  const silent = items.length - current.length
  const proved = items.filter(({ verdict }) => verdict === 'held').length
  const inSample = items.filter(({ verdict }) => verdict === 'in-sample' || verdict === 'not-held').length
  const count = (label: string, value: number, about: string, to = '#records') => ({
    label,
    text: String(value),
    about,
    to,
  })
  return (
    <CountStrip
      label="Signals now"
      counts={[
        count('▲ Bullish', now('bullish'), `of ${items.length} signals`),
        count('▼ Bearish', now('bearish'), `of ${items.length} signals`),
        count('■ Neutral', now('neutral'), `of ${items.length} signals`),
        count('○ Without a reading', silent, 'too few figures, or none of late'),
        count('Edge in sample', inSample, `after correction for ${tests} tests`),
        count('Edge out of sample', proved, 'since the rules were fixed', '#method'),
      ]}
    />
  )
}

type ShownProps = Pick<ReturnType<typeof useLoaderData<typeof loader>>, 'composite' | 'items'>

/** The composite is hidden until a reader asks for it: 21 opinions are easily taken for one truth. */
function Shown({ composite, items }: ShownProps) {
  const { search } = useLocation()
  if (composite !== null)
    return (
      <Suspense>
        <Composite composite={composite} items={items} />
      </Suspense>
    )
  return (
    <Card
      title="Composite"
      sub="Composite of signals with a record. Hidden by default, and never shown without its own out-of-sample record."
    >
      <p className={styles.note}>
        <Link to={addressWith(search, { composite: 'show' })} preventScrollReset>
          Show the composite with its record
        </Link>
      </p>
    </Card>
  )
}

export const ErrorBoundary = PageError
