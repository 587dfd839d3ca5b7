import { useEffect, useRef, useState } from 'react'
import type { TableCoverage } from '#http/contract.ts'
import type { QueryClient } from '../queryClient.ts'
import { tableKey } from './keys.ts'

/** What tables cover, by name; null where it could not be told. */
export type Coverage = ReadonlyMap<string, TableCoverage | null>

const PREFIX = tableKey('')

/** Asks once for what each table covers that a reader opens. */
export function useCoverage(client: QueryClient, open: ReadonlySet<string>): Coverage {
  const [found, setFound] = useState<Coverage>(new Map())
  const asked = useRef(new Set<string>())
  useEffect(() => {
    for (const key of open) {
      if (!key.startsWith(PREFIX) || asked.current.has(key)) continue
      asked.current.add(key)
      const name = key.slice(PREFIX.length)
      const set = (coverage: TableCoverage | null) => setFound(before => new Map(before).set(name, coverage))
      client.coverage(name).then(set, () => set(null))
    }
  }, [client, open])
  return found
}
