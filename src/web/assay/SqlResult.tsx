import { Link } from 'react-router'
import { csvRow } from '#kernel/sqlCells.ts'
import { downloadCsv } from '../blocks/downloadCsv.ts'
import { chainBlocks, chainBlocksList } from '../format/chainBlocks.ts'
import { grouped } from '../format/figure.ts'
import { IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { ResultChart } from './ResultChart.tsx'
import { ResultTable } from './ResultTable.tsx'
import styles from './SqlResult.module.css'
import type { SqlRun } from './useSqlRun.ts'

const KB = 1000

/** What came of a run, below the SQL: rows, a small drawing of them, or what was wrong and where. */
export function SqlResult({ run }: { run: SqlRun }) {
  return (
    <div className={styles.result} aria-live="polite" data-state={run.state}>
      {run.state === 'running' && (
        <p className={styles.line}>
          <span className={styles.turning} aria-hidden="true" /> Running…
        </p>
      )}
      {run.state === 'cancelled' && <p className={styles.line}>Canceled. No result was saved.</p>}
      {run.state === 'failed' && (
        <div id="sql-error" className={styles.error}>
          <Icon name="warning" />
          <div>
            <p>
              {run.problem.line !== undefined && (
                <strong>
                  Line {run.problem.line}, column {run.problem.column ?? 1}:{' '}
                </strong>
              )}
              {run.problem.detail}
            </p>
            <p className={styles.hint}>
              {run.problem.hint}{' '}
              {run.problem.type.startsWith('/errors/') && (
                <Link className={styles.about} to={run.problem.type} target="_blank">
                  About this problem
                </Link>
              )}
            </p>
          </div>
        </div>
      )}
      {run.state === 'done' && (
        <>
          <div className={styles.line}>
            <span>
              {grouped(String(run.answer.rowCount))} {run.answer.rowCount === 1 ? 'row' : 'rows'}
              {run.answer.isTruncated && ', cut at the limit'} in {Math.round(run.answer.elapsedMs)} ms ·{' '}
              {grouped(String(run.answer.readRows))} rows and{' '}
              {grouped(String(Math.round(run.answer.readBytes / KB)))} kB read
              {run.answer.asOf.length > 0 && (
                <span title={chainBlocksList(run.answer.asOf)}>
                  {` · data up to ${chainBlocks(run.answer.asOf)}`}
                </span>
              )}
            </span>
            <IconButton
              icon="download"
              label="Rows as CSV"
              onClick={() =>
                downloadCsv(
                  'assay-query',
                  run.answer.columns.map(column => column.name),
                  run.answer.rows.map(row => csvRow(run.answer.columns, row)),
                )
              }
            />
          </div>
          <ResultChart answer={run.answer} />
          <ResultTable answer={run.answer} />
        </>
      )}
    </div>
  )
}
