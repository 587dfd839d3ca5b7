import { type Ref, type RefObject, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import styles from './Editor.module.css'
import { EDITOR } from './earlyTabs.ts'
import type { EditorHandle, Selection } from './editorHandle.ts'

type Props = {
  value: string
  hasError: boolean
  ref?: Ref<EditorHandle>
  /** Where the reader was typing when a field or editor went, for the one that takes its place. */
  handoff: RefObject<Selection | undefined>
  onChange: (sql: string) => void
}

/** A text field: what is there without a script, and until the editor has come. */
export function PlainEditor({ value, hasError, ref, handoff, onChange }: Props) {
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    const area = field.current
    const typing = handoff.current
    if (area !== null && typing !== undefined) {
      handoff.current = undefined
      area.focus()
      area.setSelectionRange(typing.from, typing.to)
    }
    return () => {
      if (area !== null && document.activeElement === area)
        handoff.current = { from: area.selectionStart, to: area.selectionEnd }
    }
  }, [handoff])
  useImperativeHandle(ref, () => {
    const selection = () => ({
      from: field.current?.selectionStart ?? 0,
      to: field.current?.selectionEnd ?? 0,
    })
    const replace = (from: number, to: number, text: string) => {
      const area = field.current
      if (area === null) return
      area.focus()
      area.setRangeText(text, from, to, 'end')
      onChange(area.value)
    }
    return {
      selection,
      replace,
      insert: text => replace(selection().from, selection().to, text),
      select(from, to) {
        field.current?.focus()
        field.current?.setSelectionRange(from, to)
      },
      hasFocus: () => document.activeElement === field.current,
    }
  })
  return (
    <textarea
      ref={field}
      id={EDITOR}
      className={styles.plain}
      name="sql"
      value={value}
      spellCheck={false}
      autoCapitalize="off"
      autoComplete="off"
      wrap="off"
      aria-label="SQL"
      aria-invalid={hasError || undefined}
      aria-describedby={hasError ? 'query-problem' : undefined}
      onChange={event => onChange(event.target.value)}
    />
  )
}
