/** Where a request of a source goes, and what a redirect of it must begin with. */
export type Address = { readonly url: string; readonly within: string }

/** Whose limits a request counts against. */
export const hostOf = (url: string): string => new URL(url).host

/** Straight to the publisher, or to a mirror that answers for every host as `{mirror}/{host}{path}`. */
export function addressOf(url: string, mirror: string | undefined): Address {
  const { origin, host, pathname, search } = new URL(url)
  if (mirror === undefined) return { url, within: `${origin}/` }
  const within = `${mirror.replace(/\/$/, '')}/${host}/`
  return { url: `${within}${pathname.slice(1)}${search}`, within }
}
