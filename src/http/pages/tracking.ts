/** Names that advertisers and mailers add to links, by their own documentation; no page of ours reads one. */
const TRACKING =
  /^(utm_[a-z_]{1,40}|gclid|gclsrc|dclid|gbraid|wbraid|srsltid|fbclid|igshid|msclkid|twclid|ttclid|yclid|li_fat_id|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi)$/i

/** The same search without tracking names; the very text where it has none. */
export function withoutTracking(search: string): string {
  const query = new URLSearchParams(search)
  const names = [...new Set(query.keys())].filter(name => TRACKING.test(name))
  if (names.length === 0) return search
  for (const name of names) query.delete(name)
  return query.toString()
}
