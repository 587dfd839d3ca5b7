import type { SignalSummary } from '#http/contract.ts'
import styles from './Alpha21.module.css'
import { STATE_MARKS, STATE_WORDS } from './words.ts'

/** The state of a signal: a shape and a word, so that colour is not needed. */
export function StateMark({ state }: { state: SignalSummary['state'] }) {
  return (
    <span className={styles.state} data-state={state ?? 'none'}>
      <i aria-hidden="true">{state === null ? '○' : STATE_MARKS[state]}</i>{' '}
      {state === null ? 'No reading' : STATE_WORDS[state]}
    </span>
  )
}
