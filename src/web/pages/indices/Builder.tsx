import { Form, Link, useLocation, useNavigation, useSubmit } from 'react-router'
import { BACKTEST_NUMBERS, INDEX_REBALANCES, INDEX_WEIGHTINGS } from '#http/contract.ts'
import { runAddress, useSqlToken } from '../../assay/runAddress.ts'
import { Card } from '../../blocks/Card.tsx'
import type { ShownChart } from '../../blocks/chart/chartSpec.ts'
import { HowToRead } from '../../blocks/HowToRead.tsx'
import { StateCard } from '../../blocks/State.tsx'
import { Button } from '../../ui/Button.tsx'
import { OtherFields } from '../../ui/OtherFields.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { useTypedEarly } from '../../ui/useTypedEarly.ts'
import { ChartGrid } from '../chain/ChartGrid.tsx'
import { BuilderTables } from './BuilderTables.tsx'
import { apiHref, isBuilderKey, keyOf, NUMBERS, type NumberKey } from './builder.ts'
import { DAYS } from './days.ts'
import styles from './Indices.module.css'
import type { Built } from './loadIndices.server.ts'
import { BUILDER, PATH } from './specs.ts'

const WEIGHTINGS: Readonly<Record<(typeof INDEX_WEIGHTINGS)[number], string>> = {
  equal: 'Equal',
  cap: 'Circulating market value',
  'inverse-volatility': 'Inverse volatility',
  fees: 'Fees of the layer',
}
const REBALANCES: Readonly<Record<(typeof INDEX_REBALANCES)[number], string>> = {
  monthly: 'Monthly',
  quarterly: 'Quarterly',
  weekly: 'Weekly',
  daily: 'Daily',
  never: 'Never: buy and hold',
}
const FIELDS: Readonly<Record<NumberKey, { label: string; about: string }>> = {
  cap: { label: 'Largest weight, %', about: 'More where fewer tokens are eligible.' },
  age: { label: 'Age, days', about: 'Days of prices required before inclusion.' },
  floor: { label: 'Volume, USD', about: 'Minimum 30-day median. 0 for no minimum.' },
  cost: { label: 'Cost of a trade, bp', about: 'Hundredths of a percent of the amount.' },
}

const CHART: ShownChart = {
  id: 'backtest',
  title: 'Backtest against bitcoin and ether',
  kind: 'line',
  wide: true,
  isFixed: true,
  note: 'All are 1,000 at the close at which the index begins. A computed past is no promise, and tokens that died before the catalog was written are missing.',
}

/** An index of the reader’s own, with its whole history. What is chosen is in the address, so that it can be shared. */
export function Builder({ built }: { built: Built }) {
  const { search } = useLocation()
  const submit = useSubmit()
  const token = useSqlToken()
  const isWaiting = useNavigation().state !== 'idle'
  const compute = (form: HTMLFormElement) => submit(form, { replace: true, preventScrollReset: true })
  const form = useTypedEarly(() => form.current && compute(form.current))
  const { chosen, faults, fault, answer, plot } = built
  const isChanged = [...new URLSearchParams(search).keys()].some(isBuilderKey)
  return (
    <div className={styles.results} aria-busy={isWaiting || undefined}>
      <Card
        title="Build an index"
        sub="The history is recomputed at each change, with data available on each day. Your settings are saved in the URL, so you can share it"
      >
        <Form
          className={styles.form}
          action={PATH}
          aria-label="Index builder"
          preventScrollReset
          ref={form}
          onChange={event => compute(event.currentTarget)}
        >
          <OtherFields search={search} except={[...new URLSearchParams(search).keys()].filter(isOwn)} />
          <input type="hidden" name="tab" value={BUILDER} />
          {answer && (
            <fieldset className={styles.tokens}>
              <legend>Universe: tokens that it may hold</legend>
              <div className={styles.choices}>
                {answer.tokens.map(({ token, symbol, firstDay, isAsked }) => (
                  <label key={token} className={styles.token}>
                    <input type="checkbox" name={keyOf('token')} value={token} defaultChecked={isAsked} />
                    {symbol}
                    {firstDay === null && <small>no price yet</small>}
                  </label>
                ))}
              </div>
            </fieldset>
          )}
          <div className={styles.fields}>
            <Select
              name="weighting"
              label="Weights"
              current={chosen.weighting}
              words={WEIGHTINGS}
              names={INDEX_WEIGHTINGS}
            />
            <Select
              name="rebalance"
              label="Rebalanced"
              current={chosen.rebalance}
              words={REBALANCES}
              names={INDEX_REBALANCES}
            />
            {NUMBERS.map(name => (
              <div key={name} className={styles.field}>
                <label htmlFor={keyOf(name)}>{FIELDS[name].label}</label>
                <input
                  id={keyOf(name)}
                  name={keyOf(name)}
                  inputMode="decimal"
                  autoComplete="off"
                  placeholder={String(BACKTEST_NUMBERS[name].first)}
                  defaultValue={new URLSearchParams(search).get(keyOf(name)) ?? BACKTEST_NUMBERS[name].first}
                  aria-invalid={faults[name] !== undefined || undefined}
                  aria-describedby={`${keyOf(name)}-about`}
                />
                <small id={`${keyOf(name)}-about`} data-fault={faults[name] !== undefined || undefined}>
                  {faults[name] ?? FIELDS[name].about}
                </small>
              </div>
            ))}
            {(['from', 'to'] as const).map(name => (
              <div key={name} className={styles.field}>
                <label htmlFor={keyOf(name)}>{name === 'from' ? 'First day' : 'Last day'}</label>
                <input
                  id={keyOf(name)}
                  name={keyOf(name)}
                  type="date"
                  defaultValue={new URLSearchParams(search).get(keyOf(name)) ?? ''}
                />
                {name === 'from' && faults.span && <small data-fault>{faults.span}</small>}
              </div>
            ))}
          </div>
          {fault && (
            <p className={styles.fault} role="alert">
              {fault}
            </p>
          )}
          <p className={styles.actions}>
            <Button type="submit" look="primary" small>
              Compute
            </Button>
            {isChanged && (
              <Link to={`?tab=${BUILDER}`} preventScrollReset replace reloadDocument>
                Back to the first choice
              </Link>
            )}
            {answer && (
              <>
                <a href={apiHref(chosen)}>The same as JSON</a>
                <a href={apiHref(chosen, 'csv')} download>
                  Levels as CSV
                </a>
              </>
            )}
          </p>
        </Form>
      </Card>
      {answer && plot && (
        <>
          <ChartGrid
            specs={[CHART]}
            charts={[{ id: CHART.id, state: 'drawn', plot, missing: [], csvHref: apiHref(chosen, 'csv') }]}
            events={[]}
            remedy=""
          />
          <BuilderTables answer={answer} />
          <Card
            title="What it was computed from"
            sub="The rows behind every weight, as anybody may read them; a rebalancing sees those up to its own day alone"
            tools={<Link to={runAddress(answer.sql, PATH, token)}>Run it</Link>}
          >
            <ScrollRegion label="SQL of this index" className={styles.sql}>
              <pre>{answer.sql}</pre>
            </ScrollRegion>
          </Card>
        </>
      )}
      {answer && !plot && (
        <StateCard kind="empty" title="No index from this">
          <p>
            These rules never have two eligible tokens on the same day. Lower the minimum volume, use equal
            weights, which need no supply, or add tokens.
          </p>
          <p>{reasonsOf(answer.tokens)}</p>
        </StateCard>
      )}
      <HowToRead sources={[]} chain={DAYS} />
    </div>
  )
}

const isOwn = (key: string): boolean => isBuilderKey(key) || key === 'tab'

/** Which of the tokens asked for have no price at all. */
function reasonsOf(tokens: NonNullable<Built['answer']>['tokens']): string {
  const without = tokens.filter(({ isAsked, firstDay }) => isAsked && firstDay === null)
  return without.length === 0
    ? ''
    : `Without any price here: ${without.map(({ symbol }) => symbol).join(', ')}.`
}

type SelectProps<Name extends string> = {
  name: string
  label: string
  current: Name
  names: readonly Name[]
  words: Readonly<Record<Name, string>>
}

function Select<Name extends string>({ name, label, current, names, words }: SelectProps<Name>) {
  return (
    <div className={styles.field}>
      <label htmlFor={keyOf(name)}>{label}</label>
      <select id={keyOf(name)} name={keyOf(name)} defaultValue={current}>
        {names.map(each => (
          <option key={each} value={each}>
            {words[each]}
          </option>
        ))}
      </select>
    </div>
  )
}
