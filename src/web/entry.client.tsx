import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'
import { takeHandoff } from './handoff.ts'
import { forgetHeardClicks } from './shell/typed.ts'

takeHandoff(document)
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  )
  forgetHeardClicks()
})
