import { createContext, useContext, useSyncExternalStore } from 'react'

/** The day under the pointer, shared by the charts of a page so that all show the same moment. */
export type Crosshair = {
  day: () => string | undefined
  /** Id of the chart that the reader points at: it alone shows the words. */
  chart: () => string | undefined
  move: (day: string | undefined, chart: string | undefined) => void
  subscribe: (listener: () => void) => () => void
}

export function createCrosshair(): Crosshair {
  let day: string | undefined
  let chart: string | undefined
  const listeners = new Set<() => void>()
  return {
    day: () => day,
    chart: () => chart,
    move(nextDay, nextChart) {
      if (nextDay === day && nextChart === chart) return
      day = nextDay
      chart = nextChart
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const nothing = () => undefined
const still: Crosshair = { day: nothing, chart: nothing, move: () => {}, subscribe: () => () => {} }

/** A page gives its charts one crosshair; a chart alone has one that stands still. */
export const CrosshairContext = createContext<Crosshair>(still)

/** What the crosshair points at now; nothing on the server. */
export function useCrosshair(): { crosshair: Crosshair; day: string | undefined; chart: string | undefined } {
  const crosshair = useContext(CrosshairContext)
  const day = useSyncExternalStore(crosshair.subscribe, crosshair.day, nothing)
  const chart = useSyncExternalStore(crosshair.subscribe, crosshair.chart, nothing)
  return { crosshair, day, chart }
}
