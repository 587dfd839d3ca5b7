import { useRef, useState } from 'react'
import type { Problem, SqlAnswer } from '#http/contract.ts'
import { ApiRefusal, browserApi } from '../api.ts'

export type SqlRun =
  | { state: 'idle' }
  | { state: 'running' }
  | { state: 'cancelled' }
  | { state: 'done'; answer: SqlAnswer }
  | { state: 'failed'; problem: Pick<Problem, 'detail' | 'hint' | 'line' | 'column' | 'type'> }

const UNREACHED = {
  type: 'about:blank',
  detail: 'The server could not be reached.',
  hint: 'Check the connection and run it again.',
}

/** Runs SQL one at a time; a new run ends the one before. */
export function useSqlRun() {
  const [run, setRun] = useState<SqlRun>({ state: 'idle' })
  const current = useRef<{ queryId: string; abort: AbortController }>(undefined)

  const cancel = () => {
    const running = current.current
    if (!running) return
    current.current = undefined
    running.abort.abort()
    void browserApi.cancelSql(running.queryId).catch(() => undefined)
    setRun({ state: 'cancelled' })
  }

  const start = async (sql: string, parameters: Record<string, string>) => {
    cancel()
    const mine = { queryId: crypto.randomUUID(), abort: new AbortController() }
    current.current = mine
    setRun({ state: 'running' })
    try {
      const answer = await browserApi.sql({ sql, parameters, queryId: mine.queryId }, mine.abort.signal)
      if (current.current === mine) setRun({ state: 'done', answer })
    } catch (thrown) {
      if (current.current !== mine) return
      setRun({ state: 'failed', problem: thrown instanceof ApiRefusal ? thrown.problem : UNREACHED })
    } finally {
      if (current.current === mine) current.current = undefined
    }
  }

  return { run, start, cancel }
}
