/** When ads run, as the root element carries it (`data-ads`): starts and ends in ms; undefined where none is booked. */
export const windowsText = (windows: readonly (readonly [number, number])[]): string | undefined =>
  windows.length === 0 ? undefined : windows.map(([start, end]) => `${start}-${end}`).join(' ')

/**
 * Part of the early script, after the hint of who is here: reserves the box of the ad before the first paint where one runs now and
 * nobody with features was here last, so that nothing moves when it comes.
 */
export const adScript = `(function(d,n,a){a=d.getAttribute('data-ads');if(a&&!/(^| )any( |$)/.test(d.getAttribute('data-features')||'')&&a.split(' ').some(function(w){w=w.split('-');return +w[0]<=n&&n<+w[1]}))d.setAttribute('data-ad','')})(document.documentElement,Date.now())`

export const isReserved = (): boolean => document.documentElement.dataset.ad !== undefined

/** Gives the box its place, or takes it away. */
export function reserveAd(hasPlace: boolean): void {
  if (hasPlace) document.documentElement.dataset.ad = ''
  else delete document.documentElement.dataset.ad
}
