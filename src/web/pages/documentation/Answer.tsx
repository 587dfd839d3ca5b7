import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { Card } from '../../blocks/Card.tsx'
import { grouped } from '../../format/figure.ts'
import { usePeople } from '../../people/usePeople.ts'
import { type RawAnswer, rawAnswer } from '../../rawAnswer.ts'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import styles from './Console.module.css'

/** Characters of an answer that a page draws: more of it would stall the browser and nobody reads it. */
const SHOWN = 60_000

type Props = {
  method: string
  address: string
  body: string | undefined
  /** Asks as whoever is signed in. */
  isProved: boolean
}
type Outcome = { state: 'asked' } | { state: 'answered'; answer: RawAnswer } | { state: 'failed' }

/** Asks once, and shows what came: status, time, size, headers and body, or that nothing came. */
export function Answer({ method, address, body, isProved }: Props) {
  const { people } = usePeople()
  const [outcome, setOutcome] = useState<Outcome>({ state: 'asked' })
  useEffect(() => {
    const gone = new AbortController()
    const ask = async () =>
      rawAnswer(method, address, body, isProved ? ((await people?.headers()) ?? {}) : {}, gone.signal)
    ask().then(
      answer => setOutcome({ state: 'answered', answer }),
      () => gone.signal.aborted || setOutcome({ state: 'failed' }),
    )
    return () => gone.abort()
  }, [method, address, body, isProved, people])
  return (
    <Card title="Answer" sub={<span role="status">{statusOf(outcome)}</span>}>
      {outcome.state === 'answered' && <Told answer={outcome.answer} />}
    </Card>
  )
}

function statusOf(outcome: Outcome): string {
  if (outcome.state === 'asked') return 'Asked …'
  if (outcome.state === 'failed') return 'No response. The server or your connection is down. Send it again.'
  const { status, words, ms, bytes } = outcome.answer
  return `${status} ${words}, ${grouped(ms.toFixed(0))} ms, ${grouped(String(bytes))} bytes`
}

function Told({ answer: { headers, text, bytes } }: { answer: RawAnswer }) {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  const isText = /json|csv|text/.test(type)
  const whole = /json/.test(type) ? indented(text) : text
  const code = /problem/.test(type) ? codeOf(text) : undefined
  return (
    <div className={styles.told}>
      {code !== undefined && (
        <p>
          A problem: <Link to={`/errors/${code}`}>what {code} means and what to do</Link>.
        </p>
      )}
      <dl className={styles.headers}>
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {isText ? (
        <>
          {whole.length > SHOWN && (
            <p>
              {grouped(String(SHOWN))} of {grouped(String(whole.length))} characters are shown; a program gets
              all.
            </p>
          )}
          <ScrollRegion label="Body of the answer" className={styles.code}>
            <pre>{whole.slice(0, SHOWN)}</pre>
          </ScrollRegion>
        </>
      ) : (
        <p>{grouped(String(bytes))} bytes that are no text: a file for a program.</p>
      )}
    </div>
  )
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function codeOf(text: string): string | undefined {
  try {
    const { code } = JSON.parse(text) as { code?: unknown }
    return typeof code === 'string' ? code : undefined
  } catch {
    return undefined
  }
}
