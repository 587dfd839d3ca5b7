import { type Machine, step } from './machine.ts'

export type Theme = 'light' | 'dark'

/** Where local storage keeps it, as the bare word. */
export const THEME_KEY = 'theme'

export const THEME: Machine<Theme, 'switch'> = {
  title: 'Theme',
  initial: 'light',
  states: ['light', 'dark'],
  steps: [
    { from: 'light', on: 'switch', to: 'dark', does: 'data-theme, stored' },
    { from: 'dark', on: 'switch', to: 'light', does: 'data-theme, stored' },
  ],
}

/** What is kept, or the first theme where nothing that is one is kept. */
export const themeOf = (kept: string | null | undefined): Theme => (kept === 'dark' ? 'dark' : THEME.initial)

export const otherTheme = (theme: Theme): Theme => step(THEME, theme, 'switch')
