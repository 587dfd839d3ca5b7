import { lazy, useRef, useState } from 'react'
import type { Upload, Uploads } from '#http/contract.ts'
import { counted } from '../../../format/counted.ts'
import { timeText } from '../../../format/day.ts'
import { grouped } from '../../../format/figure.ts'
import { wordsOf } from '../../../people/askPerson.ts'
import { Button, ButtonLink } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import rail from '../DataRail.module.css'
import { PartBoundary } from '../PartBoundary.tsx'
import saved from '../saved/Saved.module.css'
import type { UploadTarget } from './UploadDialog.tsx'
import styles from './Uploads.module.css'
import type { UploadClient } from './uploadClient.ts'

const UploadDialog = lazy(async () => ({ default: (await import('./UploadDialog.tsx')).UploadDialog }))

type Props = {
  client: UploadClient
  uploads: Uploads | undefined
  failure: string | undefined
  /** Uploads can be listed and deleted without it. */
  mayUpload: boolean
  isSignedIn: boolean
  onChange: () => void
  onInsert: (text: string) => void
  onSample: (table: string) => void
}

/** The reader’s private tables, and the way to make one of a file. */
export function UploadsList(props: Props) {
  const { client, uploads, failure, mayUpload, isSignedIn, onChange } = props
  const [target, setTarget] = useState<UploadTarget>()
  const [note, setNote] = useState<string>()
  const add = useRef<HTMLButtonElement>(null)
  if (!isSignedIn || (!mayUpload && (uploads?.uploads.length ?? 0) === 0))
    return (
      <div className={saved.upgrade}>
        <p>Upload a file as a private table and join it with every table here. Part of Premium.</p>
        <ButtonLink to="/pricing" small>
          See plans
        </ButtonLink>
      </div>
    )
  if (failure !== undefined && uploads === undefined)
    return (
      <p className={rail.count} role="alert">
        {failure}
      </p>
    )
  if (uploads === undefined)
    return (
      <p className={rail.count} role="status">
        Loading…
      </p>
    )
  const { limits } = uploads
  const isFull = uploads.uploads.length >= limits.tables
  return (
    <>
      {mayUpload && (
        <div className={styles.add}>
          <Button small ref={add} disabled={isFull} onClick={() => setTarget({ mode: 'create' })}>
            Upload file
          </Button>
          <p>
            CSV, TSV, XLSX or Parquet, up to {limits.fileBytes / 2 ** 20} MiB, {grouped(String(limits.rows))}{' '}
            rows and {limits.columns} columns. {uploads.uploads.length} of {limits.tables} uploads used.
          </p>
        </div>
      )}
      <p className={rail.count} role="status">
        {note ?? (uploads.uploads.length === 0 ? 'No uploads yet. Only you can see what you upload.' : '')}
      </p>
      <ul className={rail.list}>
        {uploads.uploads.map(upload => (
          <UploadItem
            key={upload.name}
            {...props}
            upload={upload}
            onTarget={setTarget}
            onRemove={async () => {
              try {
                await client.remove(upload.name)
                setNote(`${upload.name} deleted.`)
                onChange()
                add.current?.focus()
              } catch (error) {
                setNote(wordsOf(error))
              }
            }}
          />
        ))}
      </ul>
      {target !== undefined && (
        <PartBoundary part="the upload dialog">
          <UploadDialog
            client={client}
            target={target}
            limits={limits}
            onClose={() => setTarget(undefined)}
            onKept={upload => {
              setTarget(undefined)
              setNote(`uploads.${upload.name} has ${counted(upload.rowCount, 'row')}.`)
              onChange()
            }}
          />
        </PartBoundary>
      )}
    </>
  )
}

type ItemProps = Pick<Props, 'mayUpload' | 'onInsert' | 'onSample'> & {
  upload: Upload
  onTarget: (target: UploadTarget) => void
  onRemove: () => Promise<void>
}

function UploadItem({ upload, mayUpload, onInsert, onSample, onTarget, onRemove }: ItemProps) {
  const [isOpen, setOpen] = useState(false)
  const [isAsked, setAsked] = useState(false)
  const { name, columns, rowCount, changedAt } = upload
  const table = `uploads.${name}`
  return (
    <li>
      <button
        type="button"
        className={rail.column}
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen)
          setAsked(false)
        }}
      >
        <span className={styles.name} data-open={isOpen || undefined}>
          <Icon name="next" /> {name}
        </span>
        <span className={rail.comment}>
          {counted(rowCount, 'row')} · {timeText(changedAt)}
        </span>
      </button>
      {isOpen && (
        <div className={styles.item}>
          {isAsked ? (
            <div className={styles.confirm}>
              <p>Delete {name}? Queries and results that use it stop working.</p>
              <div className={`${rail.ways} ${styles.ways}`}>
                <button type="button" onClick={() => void onRemove()}>
                  Delete
                </button>
                <button type="button" onClick={() => setAsked(false)}>
                  Cancel
                </button>
              </div>
            </div>
          ) : (
            <div className={`${rail.ways} ${styles.ways}`}>
              <button type="button" onClick={() => onSample(table)}>
                Sample rows
              </button>
              <button type="button" onClick={() => onInsert(table)}>
                Insert name
              </button>
              {mayUpload && (
                <>
                  <button type="button" onClick={() => onTarget({ mode: 'append', upload })}>
                    Append
                  </button>
                  <button type="button" onClick={() => onTarget({ mode: 'replace', upload })}>
                    Replace
                  </button>
                </>
              )}
              <button type="button" onClick={() => setAsked(true)}>
                Delete
              </button>
            </div>
          )}
          <ul className={rail.list}>
            {columns.map(column => (
              <li key={column.name}>
                <button type="button" className={rail.column} onClick={() => onInsert(column.name)}>
                  <span>
                    {column.name} <small>{column.type}</small>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </li>
  )
}
