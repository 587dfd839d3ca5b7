import { lazy } from 'react'
import type { HowToReadProps } from './HowToReadWords.tsx'
import { Later } from './Later.tsx'

export type { Days } from './HowToReadWords.tsx'

/** Anchor of its heading. */
export const HOW_TO_READ = 'how-to-read'

const Words = lazy(async () => ({ default: (await import('./HowToReadWords.tsx')).HowToReadWords }))

/** Method, caveats and sources of the figures above, for those who want to trust them. */
export const HowToRead = (props: HowToReadProps) => (
  <Later section={HOW_TO_READ}>
    <Words {...props} />
  </Later>
)
