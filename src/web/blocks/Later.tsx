import { type ReactNode, Suspense } from 'react'
import { useFirstStep } from './firstStep.ts'

type Props = {
  /** Id of an element in what is drawn. */
  section: string
  /** What is drawn: a lazy component, whose script is fetched when it comes to life. */
  children: ReactNode
}

/** Stays as the server has drawn it until a reader takes a first step. */
export function Later(props: Props) {
  return (
    <Suspense>
      <Waiting {...props} />
    </Suspense>
  )
}

function Waiting({ section, children }: Props) {
  useFirstStep(section)
  return children
}
