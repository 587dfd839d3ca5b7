import type { ComponentProps } from 'react'
import type { ApplicationTable } from '#http/contract.ts'
import { FactTable } from '../apps/FactTable.tsx'
import { FiguresView } from '../chain/FiguresView.tsx'

type View = ComponentProps<typeof FiguresView>
type Props = Pick<View, 'title' | 'actions' | 'lead'> & {
  loaded: View['loaded'] & { tables: readonly ApplicationTable[] }
}

/** A page of figures about holders of bitcoin, with its tables below. */
export function TreasuryFigures({ loaded, ...rest }: Props) {
  return (
    <FiguresView
      {...rest}
      loaded={loaded}
      days="holder"
      remedy="What holders said, what they did and what their shares cost comes with the bundled snapshot; a newer one brings newer days. Lenses of the market need a close, a share count and a holding of one day."
    >
      {loaded.tables.map(table => (
        <FactTable key={table.id} table={table} />
      ))}
    </FiguresView>
  )
}
