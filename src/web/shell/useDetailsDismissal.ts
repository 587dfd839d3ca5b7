import { useEffect } from 'react'

/** Panels that float over the page are `details` with a name; the platform opens them, with or without a script. */
const OPEN_PANELS = 'details[name][open]'

/** A press elsewhere or Escape closes what floats; Escape gives the focus back to what had opened it. */
export function useDetailsDismissal(): void {
  useEffect(() => {
    const open = () => document.querySelectorAll<HTMLDetailsElement>(OPEN_PANELS)
    const handlePress = (event: PointerEvent) => {
      for (const panel of open())
        if (!(event.target instanceof Node && panel.contains(event.target))) panel.open = false
    }
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      for (const panel of open()) {
        if (panel.contains(document.activeElement)) panel.querySelector('summary')?.focus()
        panel.open = false
      }
    }
    document.addEventListener('pointerdown', handlePress)
    document.addEventListener('keydown', handleKey)
    return () => {
      document.removeEventListener('pointerdown', handlePress)
      document.removeEventListener('keydown', handleKey)
    }
  }, [])
}
