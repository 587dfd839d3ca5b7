import { unifiedMergeView } from '@codemirror/merge'
import { EditorState } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import styles from './CodeEditor.module.css'
import { styleNonce } from './styleNonce.ts'

/** What changed between two texts, line by line. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (place.current === null) return
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: after,
        extensions: [
          styleNonce(),
          lineNumbers(),
          EditorState.readOnly.of(true),
          EditorView.editable.of(false),
          EditorView.contentAttributes.of({ 'aria-label': 'Changes', tabindex: '0' }),
          unifiedMergeView({ original: before, mergeControls: false, gutter: true }),
        ],
      }),
    })
    return () => view.destroy()
  }, [before, after])
  return <div ref={place} className={`${styles.editor} ${styles.diff}`} />
}
