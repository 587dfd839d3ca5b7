/** Text between two equal tags, such as `$a$text$a$`. Positions are offsets, and `to` is after the closing tag. */
export type Heredoc = { readonly textFrom: number; readonly textTo: number; readonly to: number }

/**
 * Finds the heredoc that starts at a `$`, if any. The first call indexes all tags, because searching for each closing tag would
 * take quadratic time on text with many unclosed ones.
 */
export function heredocsOf(sql: string): (from: number) => Heredoc | undefined {
  let places: Map<string, number[]> | undefined
  return from => {
    const end = sql.indexOf('$', from + 1)
    if (sql[from] !== '$' || end < 0) return undefined
    places ??= tagsOf(sql)
    const tag = sql.slice(from, end + 1)
    const close = firstFrom(places.get(tag) ?? [], end + 1)
    return close === undefined ? undefined : { textFrom: end + 1, textTo: close, to: close + tag.length }
  }
}

/** Offsets of each `$…$` tag. */
function tagsOf(sql: string): Map<string, number[]> {
  const places = new Map<string, number[]>()
  let from = sql.indexOf('$')
  for (let end = sql.indexOf('$', from + 1); from >= 0 && end >= 0; end = sql.indexOf('$', from + 1)) {
    const tag = sql.slice(from, end + 1)
    const known = places.get(tag)
    if (known === undefined) places.set(tag, [from])
    else known.push(from)
    from = end
  }
  return places
}

/** The first number that is at least `least`. Numbers are ascending. */
function firstFrom(ascending: readonly number[], least: number): number | undefined {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return ascending[low]
}
