import { lazy } from 'react'
import { Later } from '../../blocks/Later.tsx'
import { MOVES } from './anchors.ts'
import type { MovesProps } from './MovesList.tsx'

const List = lazy(async () => ({ default: (await import('./MovesList.tsx')).MovesList }))

type Props = Omit<MovesProps, 'until'> & { until: string | undefined }

/** The largest moves of a week; nothing where there are none. Its script comes with the first step of a reader. */
export const Moves = ({ until, moves, ...rest }: Props) =>
  until !== undefined &&
  moves.length > 0 && (
    <Later section={MOVES}>
      <List until={until} moves={moves} {...rest} />
    </Later>
  )
