import { useEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { addressWith } from '../blocks/view.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { copyToClipboard } from '../ui/copyToClipboard.ts'
import { Icon } from '../ui/Icon.tsx'
import { Keys } from '../ui/Keys.tsx'
import { useHydrated } from '../ui/useHydrated.ts'
import { useTypedEarly } from '../ui/useTypedEarly.ts'
import { isSqlKey, parameterKey, readParameters } from './address.ts'
import type { KnownAssay } from './loadAssay.server.ts'
import { placeholders, valuesFor } from './placeholders.ts'
import { RUN_PATH, TOKEN, useSqlToken } from './runAddress.ts'
import { SqlEditor } from './SqlEditor.tsx'
import styles from './SqlPanel.module.css'
import { SqlResult } from './SqlResult.tsx'
import { useSqlRun } from './useSqlRun.ts'

type Props = { assay: KnownAssay; page: string }

/**
 * The SQL of a figure: read it, change it, run it here. What was changed is in the address, so a shared link opens with it.
 * Without a script the same form leads to a page that runs it.
 */
export function SqlPanel({ assay, page }: Props) {
  const { search } = useLocation()
  const navigate = useNavigate()
  const isHydrated = useHydrated()
  const token = useSqlToken()
  const query = new URLSearchParams(search)
  const given = readParameters(query)
  const [sql, setSql] = useState(query.get('sql') ?? assay.sql)
  const own = Object.fromEntries(assay.parameters.map(({ name, default: value }) => [name, value]))
  const [values, setValues] = useState<Record<string, string>>({ ...own, ...given })
  const fields = placeholders(sql)
  const { run, start, cancel } = useSqlRun()
  const isEdited = sql !== assay.sql || fields.some(({ name }) => values[name] !== own[name])
  const opensRun = query.get('run') === '1'
  const form = useTypedEarly(typed => {
    setSql(typed.get('sql') ?? sql)
    for (const { name } of fields) {
      const value = typed.get(parameterKey(name))
      if (value !== undefined) setValues(known => ({ ...known, [name]: value }))
    }
  })

  const handleRun = () => {
    const gone = ownKeysOf(query)
    const changed = fields.flatMap(({ name }) =>
      values[name] === own[name] ? [] : [[parameterKey(name), values[name]]],
    )
    const changes = {
      ...gone,
      ...Object.fromEntries(changed),
      sql: sql === assay.sql ? undefined : sql,
      run: '1',
    }
    navigate(addressWith(search, changes), { replace: true, preventScrollReset: true })
    void start(sql, valuesFor(sql, values))
  }
  const handleReset = () => {
    cancel()
    setSql(assay.sql)
    setValues(own)
    navigate(addressWith(search, ownKeysOf(query)), { replace: true, preventScrollReset: true })
  }

  // A shared link that was run shows its rows again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the sheet opens
  useEffect(() => {
    if (opensRun) void start(sql, valuesFor(sql, values))
  }, [])

  const error =
    run.state === 'failed' && run.problem.line !== undefined
      ? { line: run.problem.line, column: run.problem.column ?? 1 }
      : undefined
  return (
    <form
      ref={form}
      className={styles.panel}
      method="get"
      action={RUN_PATH}
      aria-label="SQL of this figure"
      onSubmit={event => {
        event.preventDefault()
        handleRun()
      }}
    >
      <input type="hidden" name="assay" value={assay.ref} />
      <input type="hidden" name="page" value={page} />
      <input type="hidden" name={TOKEN} value={token} />
      <div className={styles.head}>
        <h3>SQL{isEdited ? ', changed by you' : ''}</h3>
        <span className={styles.grow} />
        {isHydrated && isEdited && (
          <IconButton icon="reset" label="Back to the metric’s own SQL" onClick={handleReset} />
        )}
        <IconButton
          icon="copy"
          label="Copy the SQL"
          onClick={() => void copyToClipboard(sql)}
          data-needs-script
        />
        {run.state === 'running' ? (
          <Button small onClick={cancel}>
            <Icon name="stop" /> Cancel
          </Button>
        ) : (
          <Button small look="primary" type="submit">
            <Icon name="play" /> Run
            <span className={styles.key} aria-hidden="true">
              <Keys apple="⌘↵" other="Ctrl ↵" />
            </span>
          </Button>
        )}
      </div>
      {fields.length > 0 && (
        <div className={styles.parameters}>
          {fields.map(({ name, type }) => (
            <label key={name} title={assay.parameters.find(parameter => parameter.name === name)?.doc}>
              {name} <span>{type}</span>
              <input
                name={parameterKey(name)}
                value={values[name] ?? ''}
                onChange={event => setValues({ ...values, [name]: event.target.value })}
                spellCheck={false}
                autoComplete="off"
              />
            </label>
          ))}
        </div>
      )}
      <SqlEditor value={sql} error={error} onChange={setSql} onRun={handleRun} />
      <SqlResult run={run} />
    </form>
  )
}

/** Every key of this panel in the address, taken out. */
const ownKeysOf = (query: URLSearchParams): Record<string, undefined> =>
  Object.fromEntries([...query.keys()].filter(isSqlKey).map(key => [key, undefined]))
