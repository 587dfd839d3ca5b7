import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { ApiOperation } from '#http/context.ts'
import { Card } from '../../blocks/Card.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Coded } from '../../ui/Coded.tsx'
import { copyToClipboard } from '../../ui/copyToClipboard.ts'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { useTypedEarly } from '../../ui/useTypedEarly.ts'
import { Answer } from './Answer.tsx'
import { AnswerFields } from './AnswerFields.tsx'
import styles from './Console.module.css'
import { addressOf, bodyOf, fieldOf, programsOf, takingOf } from './operation.ts'

type Props = { operation: ApiOperation; values: Readonly<Record<string, string>>; origin: string }
/** Name of its field: none of a parameter, as those begin with `p.`. */
const BODY = 'body'
type Sent = { address: string; body: string | undefined; turn: number }

/** One operation: its parameters as a form, its answer, and the same request from a program. */
export function OperationForm({ operation, values: given, origin }: Props) {
  const { id, method, path, summary, parameters, media, fields, needsPerson } = operation
  const [query, setQuery] = useSearchParams()
  const [values, setValues] = useState(given)
  const told = JSON.stringify(given)
  const [shown, setShown] = useState(told)
  const [body, setBody] = useState(bodyOf(operation))
  const [sent, setSent] = useState<Sent>()
  // Back and forward lead to other values of the same operation.
  if (shown !== told) {
    setShown(told)
    setValues(given)
    if (told !== JSON.stringify(values)) setSent(undefined)
  }
  const form = useTypedEarly(typed => {
    const early = parameters.flatMap(({ name }): [string, string][] => {
      const text = typed.get(fieldOf(name))
      return text === undefined ? [] : [[name, text]]
    })
    setValues({ ...values, ...Object.fromEntries(early) })
    setBody(typed.get(BODY) ?? body)
  })
  const address = addressOf(operation, values)
  // What changes something is asked as nobody: no account is to end by a try.
  const isAskedAsReader = needsPerson && method === 'GET'
  const isStream = media.includes('text/event-stream')
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    setSent({ address, body, turn: (sent?.turn ?? 0) + 1 })
    const next = new URLSearchParams({ op: id })
    const find = query.get('find')
    if (find) next.set('find', find)
    for (const [name, value] of Object.entries(values)) if (value !== '') next.set(fieldOf(name), value)
    if (next.toString() !== query.toString()) setQuery(next, { replace: true, preventScrollReset: true })
  }
  return (
    <div className={styles.operation}>
      <Card title={summary} sub={<code>{`${method} ${path}`}</code>}>
        <form ref={form} className={styles.form} onSubmit={handleSubmit}>
          <input type="hidden" name="op" value={id} />
          {needsPerson && (
            <p>
              What is a person’s own: it answers an access token or a proved wallet, and no key for programs.
              {isAskedAsReader && ' Requests from here use your signed-in account.'}
            </p>
          )}
          <div className={styles.fields}>
            {parameters.map(({ name, isRequired, about, values: allowed, default: first }) => {
              const field = {
                id: `${id}-${name}`,
                name: fieldOf(name),
                value: values[name] ?? '',
                required: isRequired,
                'aria-describedby': about === null ? undefined : `${id}-${name}-about`,
                onChange: ({ target }: { target: { value: string } }) =>
                  setValues({ ...values, [name]: target.value }),
              }
              return (
                <div key={name} className={styles.field}>
                  <label htmlFor={field.id}>
                    <code>{name}</code>
                    {isRequired && ' (required)'}
                  </label>
                  {allowed === null ? (
                    <input
                      type="text"
                      autoComplete="off"
                      spellCheck={false}
                      placeholder={first ?? ''}
                      {...field}
                    />
                  ) : (
                    <select {...field}>
                      {!isRequired && (
                        <option value="">{first === null ? '' : `${first}, if left out`}</option>
                      )}
                      {allowed.map(value => (
                        <option key={value}>{value}</option>
                      ))}
                    </select>
                  )}
                  {about !== null && (
                    <small id={`${id}-${name}-about`}>
                      <Coded text={about} />
                    </small>
                  )}
                </div>
              )
            })}
            {parameters.length === 0 && body === undefined && <p>It takes no parameters.</p>}
          </div>
          {body !== undefined && (
            <div className={styles.field}>
              <label htmlFor={`${id}-body`}>Body, JSON</label>
              <textarea
                id={`${id}-body`}
                name={BODY}
                rows={6}
                spellCheck={false}
                value={body}
                onChange={({ target }) => setBody(target.value)}
              />
            </div>
          )}
          {isStream ? (
            <p>The response is an endless event stream. Call it from a program.</p>
          ) : (
            <p>
              {/* Without a script a form can ask, but not with a body or another method. */}
              <Button
                type="submit"
                look="primary"
                name="send"
                value="yes"
                {...(method !== 'GET' && { 'data-needs-script': true })}
              >
                Send
              </Button>
            </p>
          )}
        </form>
      </Card>
      {sent && <Answer key={sent.turn} method={method} isProved={isAskedAsReader} {...sent} />}
      <AnswerFields fields={fields} />
      <Card title="The same from a program">
        {programsOf(method, origin + address, body, takingOf(operation, values)).map(({ name, text }) => (
          <div key={name} className={styles.program}>
            <h3>{name}</h3>
            <span data-needs-script>
              <IconButton icon="copy" label={`Copy for ${name}`} onClick={() => copyToClipboard(text)} />
            </span>
            <ScrollRegion label={`Request for ${name}`} className={styles.code}>
              <pre>{text}</pre>
            </ScrollRegion>
          </div>
        ))}
      </Card>
    </div>
  )
}
