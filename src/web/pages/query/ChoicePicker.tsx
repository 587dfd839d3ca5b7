import { useCallback, useState } from 'react'
import type { ChoiceSource } from '#kernel/sqlDirectives.ts'
import { grouped } from '../../format/figure.ts'
import { Button } from '../../ui/Button.tsx'
import styles from './ParameterFields.module.css'
import type { QueryClient } from './queryClient.ts'
import { type Anchor, Popover } from './results/grid/Popover.tsx'
import { type FoundChoices, useChoices } from './useChoices.ts'

type Props = {
  name: string
  source: ChoiceSource
  client: QueryClient
  isMany: boolean
  chosen: readonly string[]
  onChoose: (values: readonly string[]) => void
  /** Reports the available values, if all are loaded. */
  onKnown: (values: ReadonlySet<string> | undefined) => void
}

/** Values of a parameter from a query, which runs with the rights and limits of the reader. */
export function ChoicePicker({ name, source, client, isMany, chosen, onChoose, onKnown }: Props) {
  const [anchor, setAnchor] = useState<Anchor>()
  const [text, setText] = useState('')
  const close = useCallback(() => setAnchor(undefined), [])
  const { found, readMore } = useChoices({ client, source, isOpen: anchor !== undefined, text, onKnown })
  const values = found.state === 'ready' ? found.values : []
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
              // The form around it runs the query.
              onKeyDown={event => event.key === 'Enter' && event.preventDefault()}
            />
            {found.state === 'loading' && <p role="status">Loading values…</p>}
            {found.state === 'failed' && <p role="alert">Couldn’t load the values. {found.text}</p>}
            {found.state === 'ready' && <p role="status">{countText(found)}</p>}
            <fieldset>
              <legend className="visually-hidden">Values of {name}</legend>
              {values.map(({ value, label }) => (
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
              {found.state === 'ready' && found.values.length < found.total && (
                <Button small onClick={readMore}>
                  Show more
                </Button>
              )}
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

function countText({ values, total, isCut, isSearching }: Extract<FoundChoices, { state: 'ready' }>): string {
  if (isSearching) return 'Searching…'
  if (total === 0) return 'No match'
  const all = `${grouped(String(total))} ${total === 1 ? 'value' : 'values'}`
  const shown = values.length < total ? `First ${grouped(String(values.length))} of ${all}` : all
  return isCut ? `${shown}, truncated at the row limit. Type to find others.` : shown
}
