import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'
import type { BalancesAnswer } from '#http/contract.ts'
import { ApiRefusal, browserApi } from '../../api.ts'
import { Card } from '../../blocks/Card.tsx'
import { downloadCsv } from '../../blocks/downloadCsv.ts'
import { grouped } from '../../format/figure.ts'
import { Button } from '../../ui/Button.tsx'
import { useTypedEarly } from '../../ui/useTypedEarly.ts'
import styles from './Balances.module.css'
import { BalancesTable, LinesTable } from './BalancesTables.tsx'

/** Lines that the API takes at once. */
const MOST_LINES = 1_000
const FIELD = 'addresses'
const UNREACHED = 'The server could not be reached. Check the connection and retry.'

type State =
  | { state: 'idle' | 'asking' }
  | { state: 'failed'; problem: string }
  | { state: 'done'; answer: BalancesAnswer }

/** Many addresses at once, pasted or from a file. They are sent by POST and stand in no address. */
export function Batch() {
  const [text, setText] = useState('')
  const [batch, setBatch] = useState<State>({ state: 'idle' })
  const current = useRef<AbortController>(undefined)
  const form = useTypedEarly(pasted => setText(pasted.get(FIELD) ?? ''))
  const lines = text.split(/\r?\n/)
  const count = lines.filter(line => line.trim() !== '').length

  const handleFile = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    if (file) setText(await file.text())
  }

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault()
    current.current?.abort()
    const mine = new AbortController()
    current.current = mine
    if (count > MOST_LINES) {
      setBatch({
        state: 'failed',
        problem: `These are ${grouped(String(count))} lines; up to ${grouped(String(MOST_LINES))} are taken at once. Ask in parts.`,
      })
      return
    }
    setBatch({ state: 'asking' })
    try {
      const answer = await browserApi.manyBalances(trimmed(lines), mine.signal)
      setBatch({ state: 'done', answer })
    } catch (thrown) {
      if (mine.signal.aborted) return
      setBatch({
        state: 'failed',
        problem: thrown instanceof ApiRefusal ? thrown.problem.detail : UNREACHED,
      })
    }
  }

  return (
    <div className={styles.batch}>
      <Card
        title="Many addresses"
        sub="Up to 1,000, of any of the chains, one a line or in the first column of a CSV"
      >
        <form ref={form} className={styles.form} onSubmit={handleSubmit} data-needs-script>
          <textarea
            className={styles.area}
            name={FIELD}
            value={text}
            onChange={event => setText(event.target.value)}
            aria-label="Addresses, one a line"
            placeholder={'bc1…\nSP…\n0x…'}
            spellCheck={false}
          />
          <div className={styles.tools}>
            <Button type="submit" look="primary" disabled={count === 0 || batch.state === 'asking'}>
              {batch.state === 'asking' ? 'Asking…' : 'Show balances'}
            </Button>
            <label className={styles.file}>
              <span className="visually-hidden">Addresses from a file</span>
              <input type="file" accept=".csv,.txt,text/csv,text/plain" onChange={handleFile} />
            </label>
            <span className={styles.said} role="status">
              {batch.state === 'done'
                ? saidOf(batch.answer)
                : `${grouped(String(count))} ${count === 1 ? 'line' : 'lines'}`}
            </span>
            {batch.state === 'done' && (
              <Button small onClick={() => handleCsv(batch.answer)}>
                All as CSV
              </Button>
            )}
          </div>
        </form>
        {batch.state === 'failed' && (
          <p className={styles.problem} role="alert">
            {batch.problem}
          </p>
        )}
      </Card>
      {batch.state === 'done' && (
        <>
          <BalancesTable answer={batch.answer} />
          <LinesTable answer={batch.answer} />
        </>
      )}
    </div>
  )
}

/** Without the empty lines at the end; those between count, so that a line has its number. */
function trimmed(lines: readonly string[]): string[] {
  const last = lines.findLastIndex(line => line.trim() !== '')
  return lines.slice(0, last + 1)
}

function saidOf({ lines, balances }: BalancesAnswer): string {
  const good = lines.filter(({ problem }) => problem === null).length
  const told = balances.length === 1 ? 'one balance' : `${grouped(String(balances.length))} balances`
  return `${grouped(String(good))} of ${grouped(String(lines.length))} lines ${good === 1 ? 'is an address' : 'are addresses'}, with ${told}`
}

function handleCsv({ balances }: BalancesAnswer): void {
  downloadCsv(
    'assay-balances',
    [
      'address',
      'chain',
      'asset',
      'token_id',
      'symbol',
      'decimals',
      'balance',
      'change',
      'source',
      'height',
      'why',
    ],
    balances.map(one => [
      one.address,
      one.chain,
      one.asset,
      one.tokenId,
      one.symbol,
      one.decimals,
      one.balance,
      one.change,
      one.source,
      one.height,
      one.why,
    ]),
  )
}
