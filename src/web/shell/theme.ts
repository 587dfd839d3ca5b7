import { THEME_KEY, type Theme, themeOf } from '../people/states/themeState.ts'

/** Runs before the first paint: no flash, whatever the page weighs. A frame on another site may name the theme that suits it. */
export const themeScript = `(function(d,t){try{t=location.pathname.indexOf('/embed/')===0&&/[?&]theme=(light|dark)/.test(location.search)?RegExp.$1:localStorage.getItem('${THEME_KEY}')}catch(e){}d.setAttribute('data-theme',t==='dark'?'dark':'light')})(document.documentElement)`

export const currentTheme = (): Theme => themeOf(document.documentElement.dataset.theme)

/** Sets the theme for this page and keeps it for the next ones; a browser without storage keeps it for this page. */
export function setTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  try {
    localStorage.setItem(THEME_KEY, theme)
  } catch {
    // Storage may be forbidden: the choice then lasts as long as the page.
  }
}
