/** A text between two equal tags, such as `$a$text$a$`. Places are offsets; `to` is behind the closing tag. */
export type Heredoc = { readonly textFrom: number; readonly textTo: number; readonly to: number }

/**
 * Finds the heredoc that begins at a `$` of the text; undefined where none does. All tags are read once, at the first call: a
 * search for each opening tag would take quadratic time where many of them have no end.
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

/** Where each text from one `$` to the next begins. */
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

/** The first of ascending numbers that is not below `least`. */
function firstFrom(ascending: readonly number[], least: number): number | undefined {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return ascending[low]
}
