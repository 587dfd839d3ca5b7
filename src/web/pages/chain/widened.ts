/** Which charts fill a row: those that are declared so, and each that would stand alone in one. */
export function widened(declared: readonly boolean[]): boolean[] {
  const wide = [...declared]
  for (let at = 0; at < wide.length; at += wide[at] ? 1 : 2)
    if (!wide[at] && wide[at + 1] !== false) wide[at] = true
  return wide
}
