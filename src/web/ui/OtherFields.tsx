type Props = { search: string; except: readonly string[] }

/**
 * A form without a script replaces the whole query: it must carry the rest of it. Sorted, because the server may draw an
 * address in another order than the reader wrote it.
 */
export function OtherFields({ search, except }: Props) {
  const query = new URLSearchParams(search)
  query.sort()
  return [...query]
    .filter(([key]) => !except.includes(key))
    .map(([key, value]) => <input key={key} type="hidden" name={key} value={value} />)
}
