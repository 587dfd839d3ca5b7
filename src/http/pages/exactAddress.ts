import type { ServerBuild } from 'react-router'

/**
 * The address as it should have been written: nothing escaped without need, static parts in the letter case of the route, no closing or doubled slash;
 * undefined where the path is right, or where no route fits. Ids and slugs keep their case; what the catalogue names (`/:layer`) are static parts,
 * and so is what is answered beside the pages.
 */
export function createExactAddress(
  routes: ServerBuild['routes'],
  named: readonly string[],
  beside: readonly string[],
): (path: string) => string | undefined {
  const patterns = [...beside.map(path => path.split('/').slice(1)), ...patternsOf(routes, named)]
  return path => {
    const plain = decoded(path)
      .replace(/\/{2,}/g, '/')
      .replace(/(?<=.)\/$/, '')
    const parts = plain.split('/').slice(1)
    const fitting = patterns.filter(pattern => fits(pattern, parts))
    const best = fitting.find(pattern => isExact(pattern, parts)) ?? fitting[0]
    const exact = best
      ? `/${best.map((part, i) => (isStatic(part) ? part : (parts[i] ?? ''))).join('/')}`
      : plain
    return exact === path ? undefined : exact
  }
}

type Pattern = readonly string[]

/** Decodes what needs no escape, so that `/%62itcoin` is `/bitcoin` (RFC 3986, 6.2.2.2). */
const decoded = (path: string): string =>
  path.replace(/%([2-7][0-9a-f])/gi, (written, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16))
    return /[\w~-]/.test(character) ? character : written
  })

/** Every address of the map as its parts, those with more static parts first. */
function patternsOf(routes: ServerBuild['routes'], named: readonly string[]): Pattern[] {
  const pathOf = (id: string | undefined): string => {
    const found = id === undefined ? undefined : routes[id]
    return found ? `${pathOf(found.parentId)}/${found.path ?? ''}` : ''
  }
  return Object.keys(routes)
    .map(id =>
      pathOf(id)
        .split('/')
        .filter(part => part !== ''),
    )
    .filter(parts => parts.length > 0 && !parts.includes('*'))
    .flatMap(([first, ...rest]) =>
      first === ':layer' ? named.map(name => [name, ...rest]) : [[first!, ...rest]],
    )
    .sort((a, b) => b.filter(isStatic).length - a.filter(isStatic).length)
}

const isStatic = (part: string): boolean => !part.startsWith(':')

const fits = (pattern: Pattern, parts: readonly string[]): boolean =>
  pattern.length === parts.length &&
  pattern.every((part, i) =>
    isStatic(part) ? part.toLowerCase() === parts[i]?.toLowerCase() : parts[i] !== '',
  )

const isExact = (pattern: Pattern, parts: readonly string[]): boolean =>
  pattern.every((part, i) => !isStatic(part) || part === parts[i])
