import { useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { Icon } from '../ui/Icon.tsx'
import { type Choice, choiceGroups, countSentence } from './choices.ts'
import { KindMark } from './KindMark.tsx'
import results from './Results.module.css'
import { ResultLabel } from './ResultText.tsx'
import { forgetRecent, readRecent, remember } from './recent.ts'
import styles from './SearchPanel.module.css'
import { useAnswer } from './useAnswer.ts'

export type PanelProps = {
  /** The field that it hangs on; it stood there, and may have been typed in, before this was loaded. */
  input: HTMLInputElement
  /** Under a field on a page: no sheet on phones. */
  isOnPage: boolean
}

/** What opens under the field of the search: a list box that the field, a combobox, moves through (ARIA APG, combobox with a list). */
export function SearchPanel({ input, isOnPage }: PanelProps) {
  const navigate = useNavigate()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [text, setText] = useState(input.value.trim())
  const [isOpen, setIsOpen] = useState(document.activeElement === input)
  const [recent, setRecent] = useState(readRecent)
  const [moved, setMoved] = useState<{ text: string; to: number }>()
  const { answer, failure } = useAnswer(text)

  const groups = choiceGroups(text, recent, answer)
  const choices = groups.flatMap(group => group.choices)
  const isFresh = answer?.asked === text
  // The best answer is chosen until the reader moves: Enter opens it. Nothing is while the field is empty, or the list is of an earlier text.
  const first = text !== '' && (isFresh || groups[0]?.title === 'Recent') ? 0 : -1
  const active = Math.min(moved?.text === text ? moved.to : first, choices.length - 1)
  const optionId = (at: number) => `${id}-${at}`

  const handleOpen = (choice: Choice, isAside = false) => {
    if (choice.does === 'forget') {
      forgetRecent()
      setRecent([])
      setMoved(undefined)
      return
    }
    const path = choice.does === 'open' ? choice.result.path : choice.path
    if (choice.does === 'open') {
      remember(choice.result)
      setRecent(readRecent())
    }
    if (isAside) {
      window.open(path, '_blank', 'noopener')
      return
    }
    setIsOpen(false)
    input.value = ''
    setText('')
    input.blur()
    navigate(path)
  }

  const handleKey = (event: KeyboardEvent) => {
    if (event.isComposing || event.altKey) return
    const move = (to: number) => {
      event.preventDefault()
      setIsOpen(true)
      setMoved({ text, to })
    }
    const { length } = choices
    switch (event.key) {
      case 'ArrowDown':
        return move(isOpen && length > 0 ? (active + 1) % length : 0)
      case 'ArrowUp':
        return move(isOpen && length > 0 ? (Math.max(active, 0) + length - 1) % length : length - 1)
      case 'Home':
      case 'End':
        if (isOpen && length > 0 && !event.shiftKey) move(event.key === 'Home' ? 0 : length - 1)
        return
      case 'Enter': {
        const choice = isOpen ? choices[active] : undefined
        if (choice === undefined) return
        event.preventDefault()
        handleOpen(choice, event.metaKey || event.ctrlKey)
        return
      }
      case 'Escape':
        event.preventDefault()
        if (isOpen && input.value !== '') setIsOpen(false)
        else if (input.value !== '') {
          input.value = ''
          setText('')
        } else {
          setIsOpen(false)
          input.blur()
        }
    }
  }

  // The field is drawn before this is loaded, so what belongs to it here is hung on it.
  const handle = useRef(handleKey)
  handle.current = handleKey
  useEffect(() => {
    const { signal, abort } = listenersOf()
    const handleInput = () => {
      setText(input.value.trim())
      setIsOpen(true)
    }
    const handleFocus = () => {
      setRecent(readRecent())
      handleInput()
    }
    input.addEventListener('keydown', event => handle.current(event), { signal })
    input.addEventListener('input', handleInput, { signal })
    input.addEventListener('focus', handleFocus, { signal })
    input.addEventListener('click', () => setIsOpen(true), { signal })
    input.addEventListener('blur', () => setIsOpen(false), { signal })
    // Sent to the search page: the list is no longer needed.
    input.form?.addEventListener('submit', () => setIsOpen(false), { signal })
    // What was typed after this was drawn, and before it listened.
    setText(input.value.trim())
    return abort
  }, [input])

  const isShown = isOpen && (choices.length > 0 || failure !== undefined || text === '')
  useEffect(() => {
    input.setAttribute('aria-expanded', String(isShown))
    if (isShown) input.setAttribute('aria-controls', id)
    else input.removeAttribute('aria-controls')
    if (isShown && active >= 0) input.setAttribute('aria-activedescendant', `${id}-${active}`)
    else input.removeAttribute('aria-activedescendant')
    if (isShown && active >= 0)
      list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [input, id, isShown, active])

  let at = -1
  return (
    <>
      <p className="visually-hidden" role="status">
        {isOpen ? (failure ?? countSentence(text, answer)) : ''}
      </p>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a press inside must not take the focus from the field; keys are the field’s */}
      <div
        className={isOnPage ? styles.panel : `${styles.panel} ${styles.sheet}`}
        hidden={!isShown}
        onMouseDown={event => event.preventDefault()}
      >
        {failure !== undefined && <p className={styles.sentence}>{failure}</p>}
        {failure === undefined && text === '' && choices.length === 0 && (
          <p className={styles.sentence}>
            A layer, token, treasury, metric, table or page by name; a block by height or hash; a transaction,
            an address, a contract or a .btc name.
          </p>
        )}
        {failure === undefined && isFresh && answer.total === 0 && (
          <p className={styles.sentence}>No results for “{text}”.</p>
        )}
        <div ref={list} id={id} role="listbox" aria-label="Results of the search">
          {groups.map(group => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options in a list box
            <div key={group.title} role="group" aria-label={group.title || 'More'} className={styles.group}>
              {group.title !== '' && (
                <p className={styles.title} aria-hidden="true">
                  {group.title}
                </p>
              )}
              {group.choices.map(choice => {
                at += 1
                const place = at
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
                  <div
                    key={keyOf(choice)}
                    id={optionId(place)}
                    role="option"
                    tabIndex={-1}
                    aria-selected={place === active}
                    className={styles.option}
                    onMouseMove={() => place !== active && setMoved({ text, to: place })}
                    onClick={event => handleOpen(choice, event.metaKey || event.ctrlKey)}
                  >
                    <ChoiceText choice={choice} />
                  </div>
                )
              })}
            </div>
          ))}
        </div>
      </div>
      {!isOnPage && (
        <button type="button" className={styles.cancel} onClick={() => input.blur()}>
          Cancel
        </button>
      )}
    </>
  )
}

function ChoiceText({ choice }: { choice: Choice }) {
  if (choice.does === 'forget')
    return (
      <>
        <Icon name="close" />
        <span className={results.words}>Forget what was opened</span>
      </>
    )
  if (choice.does === 'list')
    return (
      <>
        <Icon name="search" />
        <span className={`${results.words} ${results.label}`}>{choice.label}</span>
      </>
    )
  const { kind, label, marks, detail } = choice.result
  return (
    <>
      <KindMark kind={kind} />
      <span className={results.words}>
        <span className={results.label}>
          <ResultLabel label={label} {...(marks && { marks })} />
        </span>
        <span className={results.detail}>{detail}</span>
      </span>
    </>
  )
}

const keyOf = (choice: Choice): string =>
  choice.does === 'open' ? choice.result.path : choice.does === 'list' ? 'list' : 'forget'

function listenersOf() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
