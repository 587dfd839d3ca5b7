import { useCallback, useEffect, useState } from 'react'
import type { ChoiceSource } from '#kernel/sqlDirectives.ts'
import { grouped } from '../../format/figure.ts'
import { wordsOf } from '../../people/askPerson.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './ParameterFields.module.css'
import type { Choices, QueryClient } from './queryClient.ts'
import { type Anchor, Popover } from './results/grid/Popover.tsx'

type Props = {
  name: string
  source: ChoiceSource
  client: QueryClient
  isMany: boolean
  chosen: readonly string[]
  onChoose: (values: readonly string[]) => void
  /** Tells which values there are, once they are known whole. */
  onKnown: (values: ReadonlySet<string> | undefined) => void
}

/** So many are drawn; the rest is found by typing. */
const MOST_DRAWN = 100

type Found =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly text: string }
  | ({ readonly state: 'ready' } & Choices)

/** Values of a parameter from a query, which runs with the rights and limits of the reader. */
export function ChoicePicker({ name, source, client, isMany, chosen, onChoose, onKnown }: Props) {
  const [anchor, setAnchor] = useState<Anchor>()
  const [text, setText] = useState('')
  const [found, setFound] = useState<Found>({ state: 'loading' })
  const close = useCallback(() => setAnchor(undefined), [])
  const isOpen = anchor !== undefined
  const of = JSON.stringify(source)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked anew whenever the list opens, since data changes
  useEffect(() => {
    if (!isOpen) return
    const abort = new AbortController()
    setFound({ state: 'loading' })
    client.choices(source, abort.signal).then(
      choices => {
        if (abort.signal.aborted) return
        setFound({ state: 'ready', ...choices })
        onKnown(choices.isWhole ? new Set(choices.values.map(({ value }) => value)) : undefined)
      },
      error => {
        if (!abort.signal.aborted) setFound({ state: 'failed', text: wordsOf(error) })
      },
    )
    return () => abort.abort()
  }, [isOpen, of, client])
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matching =
    found.state === 'ready'
      ? found.values.filter(({ value, label }) =>
          words.every(word => `${value} ${label}`.toLowerCase().includes(word)),
        )
      : []
  const pick = (value: string, isChosen: boolean) => {
    if (isMany) onChoose(isChosen ? [...chosen, value] : chosen.filter(each => each !== value))
    else {
      onChoose([value])
      close()
    }
  }
  return (
    <>
      <button
        type="button"
        className={styles.choose}
        aria-haspopup="dialog"
        aria-label={`Choose ${name}`}
        onClick={event => {
          setText('')
          setAnchor(event.currentTarget.getBoundingClientRect())
        }}
      >
        Choose
      </button>
      {anchor && (
        <Popover anchor={anchor} label={`Values of ${name}`} onClose={close}>
          <div className={styles.picker}>
            <input
              type="search"
              data-first=""
              value={text}
              placeholder="Search values"
              aria-label={`Search values of ${name}`}
              onChange={event => setText(event.target.value)}
            />
            {found.state === 'loading' && <p role="status">Loading values…</p>}
            {found.state === 'failed' && <p role="alert">Couldn’t load the values. {found.text}</p>}
            {found.state === 'ready' && (
              <p role="status">
                {matching.length === 0
                  ? 'No match'
                  : matching.length > MOST_DRAWN
                    ? `First ${MOST_DRAWN} of ${grouped(String(matching.length))}. Type to find others.`
                    : `${matching.length} ${matching.length === 1 ? 'value' : 'values'}`}
                {!found.isWhole && ` The list was cut at ${grouped(String(found.values.length))} values.`}
              </p>
            )}
            <fieldset>
              <legend className="visually-hidden">Values of {name}</legend>
              {matching.slice(0, MOST_DRAWN).map(({ value, label }) => (
                <label key={value}>
                  <input
                    type={isMany ? 'checkbox' : 'radio'}
                    name={`choice-${name}`}
                    checked={chosen.includes(value)}
                    // A radio that is chosen already may be chosen again to close the list.
                    onClick={() => !isMany && chosen.includes(value) && close()}
                    onChange={event => pick(value, event.target.checked)}
                  />{' '}
                  {value} {label !== '' && <small>{label}</small>}
                </label>
              ))}
            </fieldset>
            {isMany && (
              <Button small onClick={close}>
                Done
              </Button>
            )}
          </div>
        </Popover>
      )}
    </>
  )
}
