import { useEffect, useRef } from 'react'
import { useLocation, useRevalidator } from 'react-router'
import { openGate } from '../blocks/firstStep.ts'
import { NEWS, OPEN_AFTER_MS } from './calm.ts'
import { changesOf } from './changesOf.ts'

/** Blocks of several chains may come within a second: one question answers them all. */
const LEAST_GAP_MS = 1_000

/**
 * Asks for the page's figures anew when the server says that what it shows has changed. Nothing is open while the page is
 * out of sight: a browser keeps few connections to one host.
 */
export function useChanges(): void {
  const { pathname } = useLocation()
  const { revalidate, state } = useRevalidator()
  const isBusy = useRef(false)
  isBusy.current = state !== 'idle'

  useEffect(() => {
    let close: (() => void) | undefined
    let timer: number | undefined
    let askedAt = 0
    let wasHidden = false
    const ask = () => {
      if (timer !== undefined) return
      timer = window.setTimeout(
        () => {
          timer = undefined
          if (isBusy.current) return ask()
          askedAt = performance.now()
          openGate()
          void revalidate()
        },
        Math.max(0, askedAt + LEAST_GAP_MS - performance.now()),
      )
    }
    const open = () => {
      close = changesOf(pathname, ask)
    }
    const handleSight = () => {
      if (document.hidden) {
        close?.()
        close = undefined
        wasHidden = true
      } else if (close === undefined) {
        open()
        if (wasHidden) ask()
      }
    }
    document.addEventListener('visibilitychange', handleSight)
    const opening = window.setTimeout(handleSight, OPEN_AFTER_MS)
    // Told before the scripts had come, which waited.
    if (window[NEWS]) ask()
    delete window[NEWS]
    return () => {
      window.clearTimeout(opening)
      document.removeEventListener('visibilitychange', handleSight)
      close?.()
      window.clearTimeout(timer)
    }
  }, [pathname, revalidate])
}
