import type { ReactNode } from 'react'
import { FiguresView } from '../chain/FiguresView.tsx'
import type { LoadedFigures } from './loadStacks.server.ts'
import styles from './Stacks.module.css'

type Props = {
  title: string
  loaded: LoadedFigures
  /** What a reader must know before the charts. */
  lead?: ReactNode
  children: ReactNode
}

/** A page of figures about Stacks, with its tables below. */
export function StacksFigures({ title, loaded, lead, children }: Props) {
  return (
    <FiguresView
      title={title}
      loaded={loaded}
      days="stacks"
      coin="STX"
      lead={lead}
      remedy={
        <>
          On-chain figures need indexed blocks. With internet they come from the public API, latest first.
          Load older ones with{' '}
          <code className={styles.whole}>assay backfill --chain stacks --from … --to …</code>, or load an
          archive of events. Your own node is the most complete source: set <code>STACKS_OBSERVER_PORT</code>{' '}
          and name that port in its <code>events_observer</code>. The bundled blocks are few, and of 2021 and
          2022.
        </>
      }
    >
      {children}
    </FiguresView>
  )
}
