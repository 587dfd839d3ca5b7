import type { ComponentProps } from 'react'
import type { ApplicationTable } from '#http/contract.ts'
import { FactTable } from '../apps/FactTable.tsx'
import { FiguresView } from '../chain/FiguresView.tsx'

/** What a day is here. */
const DAYS = {
  words:
    'A report counts from its UTC day until the next one. Market data is on trading days. After 100 days without a report there is no mNAV.',
}

type View = ComponentProps<typeof FiguresView>
type Props = Pick<View, 'title' | 'actions' | 'lead'> & {
  loaded: View['loaded'] & { tables: readonly ApplicationTable[] }
  /** The holder that it is about; absent for all. */
  holder?: string
}

/** A page of figures about holders of bitcoin, with its tables below. */
export function TreasuryFigures({ loaded, holder, ...rest }: Props) {
  return (
    <FiguresView
      {...rest}
      loaded={loaded}
      days={DAYS}
      remedy="Reported holdings, trades and share prices come with the bundled snapshot. A newer snapshot adds newer days. mNAV needs a close, a share count and a holding for the same day."
    >
      {loaded.tables.map(table => (
        <FactTable
          key={table.id}
          table={table}
          of={holder === undefined ? 'treasuries' : `treasuries/${holder}`}
        />
      ))}
    </FiguresView>
  )
}
