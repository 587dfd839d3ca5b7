import { useEffect, useState } from 'react'
import { STEPPED, STEPS } from '../../shell/calm.ts'

/** True once a reader has done anything on the page: what is heavy loads from then on. */
export function useStepped(): boolean {
  const [isStepped, setStepped] = useState(false)
  useEffect(() => {
    const step = () => setStepped(true)
    if (window[STEPPED] === true || (document.activeElement ?? document.body) !== document.body) step()
    for (const name of STEPS)
      window.addEventListener(name, step, { capture: true, passive: true, once: true })
    return () => {
      for (const name of STEPS) window.removeEventListener(name, step, true)
    }
  }, [])
  return isStepped
}
