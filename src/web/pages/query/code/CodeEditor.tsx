import {
  acceptCompletion,
  autocompletion,
  type Completion,
  type CompletionSource,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { bracketMatching, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, setDiagnostics } from '@codemirror/lint'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view'
import { type Ref, type RefObject, useEffect, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import type { QueryDialect } from '#http/contract.ts'
import type { Parameter } from '#kernel/sqlParameters.ts'
import type { Catalog } from '../catalog.ts'
import { EDITOR } from '../earlyTabs.ts'
import type { EditorHandle, Selection } from '../editorHandle.ts'
import type { RunProblem } from '../runs.ts'
import styles from './CodeEditor.module.css'
import { type Candidate, type CompletionSources, completionsAt, metricTables } from './completions.ts'
import { dialectOf } from './dialect.ts'
import { highlighter } from './highlighter.ts'
import { styleNonce } from './styleNonce.ts'

type Props = {
  ref?: Ref<EditorHandle>
  /** Where the reader was typing in the field that this editor takes the place of. */
  handoff: RefObject<Selection | undefined>
  tab: string
  /** Tabs whose undo steps are kept. */
  openTabs: readonly string[]
  value: string
  problem: RunProblem | undefined
  catalog: Catalog
  dialect: QueryDialect | undefined
  parameters: readonly Parameter[]
  onChange: (sql: string) => void
  onCursor: (offset: number) => void
}

/** CodeMirror with the engine’s dialect. Each tab keeps its undo steps and selection while the page is open. */
export function CodeEditor(props: Props) {
  const { ref, handoff, tab, openTabs, value, problem, dialect, catalog } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const states = useRef(new Map<string, EditorState>())
  const shown = useRef(tab)
  const latest = useRef(props)
  latest.current = props

  useImperativeHandle(ref, () => {
    const selection = () => view.current?.state.selection.main ?? { from: 0, to: 0 }
    const replace = (from: number, to: number, insert: string) => {
      view.current?.focus()
      view.current?.dispatch({
        changes: { from, to, insert },
        selection: { anchor: from + insert.length },
        scrollIntoView: true,
        userEvent: 'input.complete',
      })
    }
    return {
      selection,
      replace,
      insert: text => replace(selection().from, selection().to, text),
      select(from, to) {
        view.current?.focus()
        view.current?.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true })
      },
      hasFocus: () => view.current?.hasFocus ?? false,
    }
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the view lives as long as its place; what changes reaches it below
  useLayoutEffect(() => {
    if (place.current === null) return
    // In the same commit that removes the plain field: no key gets lost in between.
    const typing = handoff.current
    handoff.current = undefined
    const made = new EditorView({
      parent: place.current,
      state: stateOf(value, latest, typing && { anchor: typing.from, head: typing.to }),
    })
    view.current = made
    if (typing) made.focus()
    return () => made.destroy()
  }, [])

  // Another tab: its own state with its undo steps, or a new one.
  useEffect(() => {
    const editor = view.current
    if (editor === null || shown.current === tab) return
    states.current.set(shown.current, editor.state)
    for (const id of states.current.keys()) if (!openTabs.includes(id)) states.current.delete(id)
    const kept = states.current.get(tab)
    shown.current = tab
    editor.setState(kept?.doc.toString() === value ? kept : stateOf(value, latest))
    editor.dispatch({ effects: dialectPart.reconfigure(dialectOf(latest.current)) })
    latest.current.onCursor(editor.state.selection.main.head)
  }, [tab, openTabs, value])

  // Text that came from elsewhere than from typing.
  useEffect(() => {
    const editor = view.current
    if (editor === null || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])

  useEffect(() => {
    view.current?.dispatch({ effects: dialectPart.reconfigure(dialectOf({ dialect, catalog })) })
  }, [dialect, catalog])

  useEffect(() => {
    const editor = view.current
    if (editor === null) return
    editor.dispatch(setDiagnostics(editor.state, problem?.place ? [diagnosticOf(editor.state, problem)] : []))
  }, [problem])

  return <div ref={place} className={styles.editor} />
}

const dialectPart = new Compartment()

function diagnosticOf(state: EditorState, { place, detail }: RunProblem) {
  const from = Math.min(place?.offset ?? 0, state.doc.length)
  const word = /^(?:\w+|'[^'\n]*'|`[^`\n]*`|\S)/.exec(state.doc.sliceString(from, from + 200))?.[0] ?? ''
  return { from, to: Math.max(from + word.length, from), severity: 'error' as const, message: detail }
}

type Latest = { readonly current: Props }

function stateOf(
  doc: string,
  latest: Latest,
  selection: { anchor: number; head: number } = { anchor: 0, head: 0 },
): EditorState {
  return EditorState.create({ doc, selection, extensions: extensionsOf(latest) })
}

function extensionsOf(latest: Latest): Extension {
  return [
    styleNonce(),
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightActiveLine(),
    history(),
    drawSelection(),
    EditorState.allowMultipleSelections.of(true),
    indentUnit.of('  '),
    bracketMatching(),
    closeBrackets(),
    highlightSelectionMatches(),
    search({ top: true }),
    lintGutter(),
    placeholder('SELECT …'),
    syntaxHighlighting(highlighter),
    dialectPart.of(dialectOf(latest.current)),
    autocompletion({ override: [completionSource(latest)], maxRenderedOptions: 60, icons: false }),
    EditorView.contentAttributes.of({
      id: EDITOR,
      'aria-label': 'SQL',
      spellcheck: 'false',
      autocapitalize: 'off',
      tabindex: '0',
    }),
    EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
      if (docChanged) latest.current.onChange(state.doc.toString())
      if (docChanged || selectionSet) latest.current.onCursor(state.selection.main.head)
    }),
    keymap.of([
      // The surrounding form runs the query. An open completion list would consume the Escape that cancels it.
      ...['Mod-Enter', 'Shift-Mod-Enter', 'Alt-Mod-Enter'].map(key => ({ key, run: leaveCompletion })),
      { key: 'Tab', run: acceptCompletion },
      ...closeBracketsKeymap,
      ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
      ...searchKeymap,
      ...historyKeymap,
      ...completionKeymap,
    ]),
  ]
}

const leaveCompletion = (view: EditorView): boolean => {
  closeCompletion(view)
  return false
}

const completionSource =
  (latest: Latest): CompletionSource =>
  context => {
    const { catalog, dialect, parameters } = latest.current
    const sources: CompletionSources = {
      tables: [...catalog.tables, ...metricTables(catalog.metrics)],
      functions: dialect?.functions ?? [],
      keywords: dialect?.keywords ?? [],
      parameters,
    }
    const found = completionsAt(context.state.doc.toString(), context.pos, sources, context.explicit)
    return found === undefined
      ? null
      : { from: found.from, options: found.candidates.map(optionOf), validFor: /^\w*$/ }
  }

const optionOf = ({ label, kind, detail, about, insert, boost }: Candidate): Completion => ({
  label,
  type: kind,
  detail,
  boost,
  ...(about !== '' && { info: about }),
  apply:
    kind === 'function'
      ? (view, _, from, to) =>
          view.dispatch({
            changes: { from, to, insert: `${label}()` },
            selection: { anchor: from + label.length + 1 },
            userEvent: 'input.complete',
          })
      : (insert ?? label),
})
