import { lazy, Suspense } from 'react'
import { useFirstStep } from './firstStep.ts'
import type { HowToReadProps } from './HowToReadWords.tsx'

export type { Days } from './HowToReadWords.tsx'

/** Anchor of its heading. */
export const HOW_TO_READ = 'how-to-read'

/** Words that the server has drawn: their script comes with the first step of a reader. */
const Words = lazy(async () => ({ default: (await import('./HowToReadWords.tsx')).HowToReadWords }))

/** Method, caveats and sources of the figures above, for those who want to trust them. */
export function HowToRead(props: HowToReadProps) {
  return (
    <Suspense>
      <Waiting {...props} />
    </Suspense>
  )
}

function Waiting(props: HowToReadProps) {
  useFirstStep(HOW_TO_READ)
  return <Words {...props} />
}
