import { type KeyboardEvent, useRef } from 'react'
import styles from './SqlEditor.module.css'
import { sqlTokens } from './sqlTokens.ts'

type Props = {
  value: string
  /** Where the last run failed, 1-based. */
  error: { line: number; column: number } | undefined
  onChange: (sql: string) => void
  onRun: () => void
}

/** A plain text field with its colours drawn beneath it: light, and at home with every keyboard and screen reader. */
export function SqlEditor({ value, error, onChange, onRun }: Props) {
  const colours = useRef<HTMLPreElement>(null)
  const handleKey = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      onRun()
    }
  }
  const lines = value.split('\n').length
  return (
    <div className={styles.editor}>
      <pre ref={colours} className={styles.colours} aria-hidden="true">
        {error && (
          <span
            className={styles.errorLine}
            style={{ insetBlockStart: `calc(var(--s3) + ${error.line - 1} * 1.55em)` }}
          />
        )}
        {sqlTokens(value).map((token, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity beyond their place
          <span key={index} className={styles[token.kind]}>
            {token.text}
          </span>
        ))}
        {'\n'}
      </pre>
      <textarea
        className={styles.text}
        name="sql"
        value={value}
        rows={Math.min(24, Math.max(6, lines + 1))}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        wrap="off"
        aria-label="SQL"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? 'sql-error' : undefined}
        onChange={event => onChange(event.target.value)}
        onKeyDown={handleKey}
        onScroll={event => {
          if (colours.current)
            colours.current.style.translate = `${-event.currentTarget.scrollLeft}px ${-event.currentTarget.scrollTop}px`
        }}
      />
    </div>
  )
}
