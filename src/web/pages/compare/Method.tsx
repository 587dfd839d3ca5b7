import { lazy } from 'react'
import { Later } from '../../blocks/Later.tsx'
import { METHOD } from './anchors.ts'

const Words = lazy(async () => ({ default: (await import('./MethodWords.tsx')).MethodWords }))

/** How layers are compared here, and where that differs from what others publish. */
export const Method = () => (
  <Later section={METHOD}>
    <Words />
  </Later>
)
