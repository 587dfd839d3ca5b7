import { Form, Link, useLocation, useNavigate } from 'react-router'
import { dayText } from '../../format/day.ts'
import { figureText, grouped, unitText } from '../../format/figure.ts'
import { Button } from '../../ui/Button.tsx'
import { OtherFields } from '../../ui/OtherFields.tsx'
import { useTypedEarly } from '../../ui/useTypedEarly.ts'
import { Card } from '../Card.tsx'
import { AssayLink } from '../chart/embed.tsx'
import { addressWith } from '../view.ts'
import styles from './CalculatorCard.module.css'
import { type Entered, type InputSpec, type LoadedCalculator, readInput } from './calculatorSpec.ts'
import { evaluate, parseFormula } from './formula.ts'

/** Inputs, the formula, and what it gives. What is typed is in the address, so that a result can be shared. */
export function CalculatorCard({ calculator }: { calculator: LoadedCalculator }) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const form = useTypedEarly(() => handleInput())
  const { id, title, note, inputs, results, first } = calculator
  const query = new URLSearchParams(search)
  const fieldOf = (key: string) => `${id}.${key}`
  const entered = new Map(
    inputs.map(input => [input.key, readInput(input, first[input.key], query.get(fieldOf(input.key)))]),
  )
  const names = new Map(
    [...entered].flatMap(([key, { value }]): [string, number][] =>
      value === undefined ? [] : [[key, value]],
    ),
  )
  const fields = inputs.map(({ key }) => fieldOf(key))
  // All fields are read, since the address may still be that of an earlier key. An emptied one is a choice too: without it
  // in the address the first value would come back.
  const handleInput = () => {
    const changed = inputs.flatMap(({ key }): [string, string][] => {
      const field = form.current?.elements.namedItem(fieldOf(key))
      if (!(field instanceof HTMLInputElement) || field.value === entered.get(key)?.text) return []
      return [[fieldOf(key), field.value || ' ']]
    })
    if (changed.length > 0)
      navigate(addressWith(search, Object.fromEntries(changed)), { replace: true, preventScrollReset: true })
  }
  const isChanged = fields.some(field => query.has(field))
  return (
    <Card title={title} sub="Your inputs are saved in the URL, so you can share it." foot={note}>
      <div className={styles.body} id={id}>
        <Form ref={form} action={pathname} className={styles.inputs} preventScrollReset>
          <OtherFields search={search} except={fields} />
          {inputs.map(input => (
            <Field
              key={input.key}
              name={fieldOf(input.key)}
              input={input}
              entered={entered.get(input.key) ?? { text: '' }}
              origin={query.has(fieldOf(input.key)) ? undefined : first[input.key]}
              onInput={handleInput}
            />
          ))}
          <p className={styles.actions}>
            <span className={styles.submit}>
              <Button type="submit" small>
                Compute
              </Button>
            </span>
            {isChanged && (
              <Link
                className={styles.reset}
                to={addressWith(search, Object.fromEntries(fields.map(field => [field, undefined])))}
                preventScrollReset
                replace
                reloadDocument
              >
                Reset to the latest figures
              </Link>
            )}
          </p>
        </Form>
        <dl className={styles.results} aria-live="polite">
          {results.map(result => {
            const value = evaluate(parseFormula(result.formula), names)
            // An amount of satoshis is whole.
            const amount = result.unit === 'sat' && value !== undefined ? Math.ceil(value) : value
            const { text, full } = figureText(amount ?? null, result.unit)
            return (
              <div key={result.label}>
                <dt>{result.label}</dt>
                <dd title={full}>{text}</dd>
                <dd className={styles.formula}>= {inWords(result.formula, inputs)}</dd>
              </div>
            )
          })}
        </dl>
      </div>
    </Card>
  )
}

type FieldProps = {
  name: string
  input: InputSpec
  entered: Entered
  /** What stands there while the reader typed nothing. */
  origin: LoadedCalculator['first'][string] | undefined
  onInput: () => void
}

function Field({ name, input, entered, origin, onInput }: FieldProps) {
  const hint = `${name}-hint`
  return (
    <div className={styles.field}>
      <label htmlFor={name}>
        {input.label}, {unitText(input.unit)}
      </label>
      <input
        id={name}
        name={name}
        inputMode="decimal"
        autoComplete="off"
        defaultValue={entered.text}
        aria-invalid={entered.fault !== undefined || undefined}
        aria-describedby={hint}
        onChange={onInput}
      />
      <small id={hint} data-fault={entered.fault !== undefined || undefined}>
        {entered.fault ??
          (origin?.assay && origin.day ? (
            <AssayLink assay={origin.assay} day={origin.day}>
              newest figure, {dayText(origin.day)}
            </AssayLink>
          ) : (
            'yours to change'
          ))}
      </small>
    </div>
  )
}

/** The formula in the words of its inputs. */
function inWords(formula: string, inputs: readonly InputSpec[]): string {
  const labels = new Map(inputs.map(({ key, label }) => [key, label.toLowerCase()]))
  return formula
    .replaceAll(/[a-z][a-zA-Z0-9]*/g, name => labels.get(name) ?? name)
    .replaceAll(/\d+(?:\.\d+)?/g, number => grouped(number))
    .replaceAll('*', '×')
    .replaceAll('/', '÷')
    .replaceAll('-', '−')
}
