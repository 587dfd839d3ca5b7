import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Upload, UploadDraft, Uploads } from '#http/contract.ts'
import { counted } from '../../../format/counted.ts'
import { grouped } from '../../../format/figure.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import { Button } from '../../../ui/Button.tsx'
import { Failure, useModal } from '../saved/QueryDialog.tsx'
import saved from '../saved/Saved.module.css'
import { choicesFor, keyOf, nameOf } from './columnChoices.ts'
import styles from './Uploads.module.css'
import type { KeepRequest, UploadClient } from './uploadClient.ts'

/** What becomes of the file: a new table, or rows of one that exists. */
export type UploadTarget =
  | { readonly mode: 'create' }
  | { readonly mode: 'replace' | 'append'; readonly upload: Upload }

type Props = {
  client: UploadClient
  target: UploadTarget
  limits: Uploads['limits']
  onKept: (upload: Upload) => void
  onClose: () => void
}

const TITLE = { create: 'Upload file', replace: 'Replace rows', append: 'Append rows' } as const
const KEEP = { create: 'Create table', replace: 'Replace rows', append: 'Append rows' } as const
const ACCEPTED = '.csv,.tsv,.tab,.txt,.xlsx,.parquet,text/csv,text/tab-separated-values'

/** Sends a file, shows what its columns are, and keeps it once the reader agrees. */
export function UploadDialog({ client, target, limits, onKept, onClose }: Props) {
  const dialog = useModal()
  const [draft, setDraft] = useState<UploadDraft>()
  const [failure, setFailure] = useState<string>()
  const [busy, setBusy] = useState<string>()
  const reading = useRef(new AbortController())
  const latest = useRef<UploadDraft>(undefined)
  const isKept = useRef(false)
  latest.current = draft
  useEffect(() => {
    return () => {
      reading.current.abort()
      // What is not kept is removed after an hour in any case.
      if (latest.current !== undefined && !isKept.current) client.discard(latest.current.id).catch(() => {})
    }
  }, [client])
  const doing = async (words: string, does: () => Promise<void>) => {
    setBusy(words)
    setFailure(undefined)
    try {
      await does()
    } catch (error) {
      if (!reading.current.signal.aborted) setFailure(wordsOf(error))
    } finally {
      setBusy(undefined)
    }
  }
  const title = target.mode === 'create' ? TITLE.create : `${TITLE[target.mode]} of ${target.upload.name}`
  return createPortal(
    <dialog
      ref={dialog}
      className={`${saved.dialog} ${saved.wide}`}
      aria-labelledby="query-upload-title"
      onClose={onClose}
    >
      <div className={saved.head}>
        <h2 id="query-upload-title">{title}</h2>
        <Button small onClick={onClose}>
          Cancel
        </Button>
      </div>
      {draft === undefined ? (
        <FileForm
          limits={limits}
          isBusy={busy !== undefined}
          onFile={(file, hasHeader) =>
            void doing('Reading the file…', async () => {
              if (file.size > limits.fileBytes) {
                setFailure(
                  `The file is larger than ${limits.fileBytes / 2 ** 20} MiB. Upload fewer rows or columns.`,
                )
                return
              }
              setDraft(await client.read(file, hasHeader, reading.current.signal))
            })
          }
        />
      ) : (
        <DraftForm
          draft={draft}
          target={target}
          isBusy={busy !== undefined}
          onChange={columns =>
            void doing('Checking values…', async () => setDraft(await client.change(draft.id, columns)))
          }
          onKeep={(columns, request) =>
            void doing('Writing the table…', async () => {
              setDraft(await client.change(draft.id, columns))
              const kept = await client.keep({ ...request, draft: draft.id })
              isKept.current = true
              onKept(kept)
            })
          }
        />
      )}
      <p className={styles.state} role="status">
        {busy}
      </p>
      <Failure text={failure} />
    </dialog>,
    document.body,
  )
}

type FileProps = {
  limits: Uploads['limits']
  isBusy: boolean
  onFile: (file: File, hasHeader: boolean) => void
}

function FileForm({ limits, isBusy, onFile }: FileProps) {
  const [hasHeader, setHeader] = useState(true)
  const [isOver, setOver] = useState(false)
  return (
    <div className={saved.fields}>
      <label
        className={styles.drop}
        data-over={isOver || undefined}
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={event => {
          event.preventDefault()
          setOver(false)
          const [file] = event.dataTransfer.files
          if (file !== undefined && !isBusy) onFile(file, hasHeader)
        }}
      >
        <span>Choose a file or drop one here</span>
        <input
          type="file"
          accept={ACCEPTED}
          disabled={isBusy}
          onChange={event => {
            const [file] = event.target.files ?? []
            event.target.value = ''
            if (file !== undefined) onFile(file, hasHeader)
          }}
        />
        <small>
          CSV, TSV, XLSX or Parquet. A Google Sheet can be downloaded as XLSX or CSV. Of a workbook, the first
          sheet is read. Up to {limits.fileBytes / 2 ** 20} MiB, {grouped(String(limits.rows))} rows and{' '}
          {limits.columns} columns.
        </small>
      </label>
      <label className={styles.check}>
        <input type="checkbox" checked={hasHeader} onChange={event => setHeader(event.target.checked)} />
        The first row names the columns
      </label>
      <p className={styles.note}>Only you can query an upload, its results and queries that read it.</p>
    </div>
  )
}

type Columns = UploadDraft['columns']
type DraftProps = {
  draft: UploadDraft
  target: UploadTarget
  isBusy: boolean
  onChange: (columns: Columns) => void
  onKeep: (columns: Columns, request: Omit<KeepRequest, 'draft'>) => void
}

function DraftForm({ draft, target, isBusy, onChange, onKeep }: DraftProps) {
  const [names, setNames] = useState(() => draft.columns.map(({ name }) => name))
  const [name, setName] = useState(target.mode === 'create' ? nameOf(draft.fileName) : target.upload.name)
  const [isEmptied, setEmptied] = useState(false)
  const columns = draft.columns.map((column, at) => ({ ...column, name: names[at] ?? column.name }))
  const doubtful = draft.columns.filter(({ doubt }) => doubt !== null).length
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <form
      className={saved.fields}
      onSubmit={event => {
        event.preventDefault()
        onKeep(columns, { name, mode: target.mode, misfits: isEmptied ? 'empty' : 'refuse' })
      }}
    >
      <p className={styles.note}>
        {draft.fileName}: {counted(draft.rowCount, 'row')}, {counted(columns.length, 'column')}.{' '}
        {doubtful === 0
          ? 'All values fit their types.'
          : `${counted(doubtful, 'column')} with doubtful values, marked below.`}
      </p>
      {target.mode === 'create' && (
        <label>
          Name in queries
          <span className={styles.named}>
            uploads.
            <input
              ref={first}
              value={name}
              required
              pattern="[a-z][a-z0-9_]{0,62}"
              title="Small letters, digits and underscores, beginning with a letter"
              maxLength={63}
              onChange={event => setName(event.target.value)}
            />
          </span>
        </label>
      )}
      <ul className={styles.columns} aria-label="Columns">
        {columns.map((column, at) => (
          <ColumnFields
            // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their places
            key={at}
            column={column}
            values={draft.sample.map(row => row[at] ?? null)}
            isBusy={isBusy}
            onName={changed => setNames(names.map((each, i) => (i === at ? changed : each)))}
            onChoice={choice =>
              onChange(columns.map((each, i) => (i === at ? { ...each, ...choice } : each)))
            }
          />
        ))}
      </ul>
      {doubtful > 0 && (
        <label className={styles.check}>
          <input type="checkbox" checked={isEmptied} onChange={event => setEmptied(event.target.checked)} />
          Leave values empty that do not fit the type of their column
        </label>
      )}
      <div className={saved.buttons}>
        <Button small look="primary" type="submit" disabled={isBusy}>
          {KEEP[target.mode]}
        </Button>
      </div>
    </form>
  )
}

const SHOWN_VALUES = 3

function ColumnFields({
  column,
  values,
  isBusy,
  onName,
  onChoice,
}: {
  column: Columns[number]
  values: readonly (string | null)[]
  isBusy: boolean
  onName: (name: string) => void
  onChoice: (choice: Pick<Columns[number], 'type' | 'format'>) => void
}) {
  const { name, header, nulls, doubt } = column
  const choices = choicesFor(column)
  const shown = values.filter(value => value !== null).slice(0, SHOWN_VALUES)
  return (
    <li data-doubtful={doubt !== null || undefined}>
      <input
        value={name}
        required
        maxLength={100}
        aria-label={`Name of column ${header || name}`}
        onChange={event => onName(event.target.value)}
      />
      <select
        value={keyOf(column)}
        aria-label={`Type of column ${header || name}`}
        disabled={isBusy}
        onChange={event => {
          const chosen = choices.find(choice => keyOf(choice) === event.target.value)
          if (chosen !== undefined) onChoice({ type: chosen.type, format: chosen.format })
        }}
      >
        {choices.map(choice => (
          <option key={keyOf(choice)} value={keyOf(choice)}>
            {choice.label}
          </option>
        ))}
      </select>
      <p className={styles.values}>
        {shown.length === 0 ? 'No values' : shown.map(value => value?.slice(0, 40)).join(' · ')}
        {nulls > 0 && <span> · {grouped(String(nulls))} empty</span>}
      </p>
      {doubt !== null && (
        <p className={styles.doubt}>
          {doubt.reason}{' '}
          {doubt.rows.map(({ row, value }) => `Row ${grouped(String(row))}: ${value}`).join(', ')}
          {doubt.count > doubt.rows.length &&
            `, and ${grouped(String(doubt.count - doubt.rows.length))} more`}
        </p>
      )}
    </li>
  )
}
