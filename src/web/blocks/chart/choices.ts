import { createContext, type ReactNode } from 'react'

/** What the reader may choose to see in a chart, besides how: its page puts it between title and drawing. */
export const ChartChoices = createContext<ReactNode>(undefined)
