import { useCallback, useState } from 'react'
import { Link } from 'react-router'
import type { QueryResult } from '#http/contract.ts'
import { counted } from '../../../../format/counted.ts'
import { figureText } from '../../../../format/figure.ts'
import { wordsOf } from '../../../../people/askPerson.ts'
import { Button } from '../../../../ui/Button.tsx'
import { type Anchor, MenuItem, Popover } from '../grid/Popover.tsx'
import styles from '../ResultPane.module.css'
import { type Headers, type RowView, resultPath, viewQuery } from '../rowSource.ts'
import { EXPORTS, type ExportFormat, exportLock } from './formats.ts'
import { saveFile } from './saveFile.ts'

type Props = {
  result: QueryResult
  headers: Headers
  view: RowView
  /** Rows that the filters leave. */
  rowCount: number
  mayExport: boolean
}

/** Saves the rows, in the order and under the filters of the screen, as a file. */
export function ExportMenu({ result, headers, view, rowCount, mayExport }: Props) {
  const [anchor, setAnchor] = useState<Anchor>()
  const [running, setRunning] = useState<{ text: string; abort?: AbortController }>()
  const close = useCallback(() => setAnchor(undefined), [])
  const extent = { rows: rowCount, mayExport }
  const isLimited = EXPORTS.some(({ format }) => exportLock(format, extent) !== undefined)

  const save = (format: ExportFormat, label: string) => {
    const query = viewQuery(view)
    query.set('format', format)
    return saveAs(label, { path: resultPath(result.hash, query), extension: format })
  }
  const saveAs = async (label: string, { path, extension }: { path: string; extension: string }) => {
    close()
    const abort = new AbortController()
    setRunning({ text: `Preparing ${label}…`, abort })
    try {
      await saveFile({
        path,
        name: `assay-${result.hash.slice(0, 12)}.${extension}`,
        headers,
        signal: abort.signal,
        onProgress: (bytes, total) => {
          const size = figureText(bytes, 'bytes').text
          const share = total ? ` of ${figureText(total, 'bytes').text}` : ''
          setRunning({ text: `Downloading ${label}: ${size}${share}`, abort })
        },
      })
      setRunning({ text: `Saved ${label}` })
    } catch (error) {
      setRunning({ text: abort.signal.aborted ? 'Export canceled' : `Couldn’t export. ${wordsOf(error)}` })
    }
  }
  return (
    <>
      <span className={styles.message} role="status">
        {running?.text}
      </span>
      {running?.abort ? (
        <Button small onClick={() => running.abort?.abort()}>
          Cancel export
        </Button>
      ) : (
        <Button
          small
          aria-haspopup="menu"
          aria-expanded={anchor !== undefined}
          onClick={event => setAnchor(event.currentTarget.getBoundingClientRect())}
        >
          Export
        </Button>
      )}
      {anchor && (
        <Popover
          anchor={anchor}
          label="Export"
          isMenu
          onClose={close}
          foot={
            <p className={styles.menuFoot}>
              {view.filters.length > 0
                ? `The ${counted(rowCount, 'matching row')}`
                : counted(rowCount, 'row')}
              {result.isTruncated && `, cut at the limit of ${counted(result.rowLimit, 'row')}`}.
              {isLimited && (
                <>
                  {' '}
                  Other formats and larger files are part of Premium. <Link to="/pricing">See plans</Link>
                </>
              )}
            </p>
          }
        >
          {EXPORTS.map(({ format, label, about }) => {
            const lock = exportLock(format, extent)
            return (
              <MenuItem
                key={format}
                isDisabled={lock !== undefined}
                note={lock === undefined ? about : `${about}. ${lock}`}
                onPick={() => void save(format, label)}
              >
                {label}
              </MenuItem>
            )
          })}
          <MenuItem
            note="Checks the whole result on any server"
            onPick={() =>
              void saveAs('provenance file', {
                path: `${resultPath(result.hash)}/provenance`,
                extension: 'provenance.json',
              })
            }
          >
            Provenance file
          </MenuItem>
        </Popover>
      )}
    </>
  )
}
