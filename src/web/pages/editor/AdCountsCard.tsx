import { useEffect, useState } from 'react'
import type { AdCounts } from '#http/contract.ts'
import { TableCard, type TableColumn } from '../../blocks/TableCard.tsx'
import { askPerson, wordsOf } from '../../people/askPerson.ts'
import type { People } from '../../people/peopleState.ts'

type Row = AdCounts['items'][number]

const COLUMNS: TableColumn<Row>[] = [
  { key: 'ad', label: 'Advertisement', value: ({ ad, title }) => title ?? ad },
  { key: 'view', label: 'Shown', isNumber: true, value: ({ view }) => view },
  { key: 'click', label: 'Followed', isNumber: true, value: ({ click }) => click },
  { key: 'cancel', label: 'Dismissed', isNumber: true, value: ({ cancel }) => cancel },
  {
    key: 'last',
    label: 'Last met on',
    value: ({ days }) => days[0]?.day ?? null,
    cell: ({ days }) => days[0]?.day ?? 'never',
  },
]

/** How often each advertisement was met. */
export function AdCountsCard({ people }: { people: People }) {
  const [rows, setRows] = useState<readonly Row[]>([])
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    const gone = new AbortController()
    askPerson(people, '/api/v1/cms/ads/counts', { signal: gone.signal }).then(
      answer => setRows((answer as AdCounts).items),
      error => {
        if (!gone.signal.aborted) setFailure(wordsOf(error))
      },
    )
    return () => gone.abort()
  }, [people])
  return (
    <TableCard
      id="ads"
      title="Advertisements"
      sub="Counted by day, with no data about viewers"
      rows={rows}
      columns={COLUMNS}
      rowKey={({ ad }) => ad}
      empty={failure ?? 'There is no advertisement.'}
    />
  )
}
