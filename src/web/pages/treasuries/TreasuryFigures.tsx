import type { ComponentProps } from 'react'
import type { ApplicationTable } from '#http/contract.ts'
import { FactTable } from '../apps/FactTable.tsx'
import { FiguresView } from '../chain/FiguresView.tsx'

/** What a day is here. */
const DAYS = {
  words:
    'A statement stands at the UTC day that it speaks of and holds until the next one; what the market says stands at trading days. After 100 days without a word there is no lens of the market.',
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
      remedy="What holders said, what they did and what their shares cost comes with the bundled snapshot; a newer one brings newer days. Lenses of the market need a close, a share count and a holding of one day."
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
