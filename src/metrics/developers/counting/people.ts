/** An address as a commit has it, the one that a mailmap or host gives for it, and a name within a repository; 0n where it tells nobody. */
export type Identity = { readonly address: bigint; readonly alias: bigint; readonly name: bigint }

/**
 * More addresses than anybody has: a mailmap or a shared name that joins so many joins people, and is not believed.
 */
export const MOST_ADDRESSES = 30

/**
 * Who is the same person: addresses that share an alias or, within one repository, a telling name. Returns for each address
 * that is not alone the smallest of its person. Groups of more than `MOST_ADDRESSES` stay apart by alias alone, and where
 * that joins too many, altogether.
 */
export function personsOf(identities: readonly Identity[]): Map<bigint, bigint> {
  const all = groupsOf(identities, ({ alias, name }) => [alias, name])
  const tooLarge = new Set(
    [...all.values()].filter(group => group.size > MOST_ADDRESSES).flatMap(group => [...group]),
  )
  const apart = groupsOf(
    identities.filter(({ address }) => tooLarge.has(address)),
    ({ alias }) => [alias],
  )
  const groups = [...[...all.values()].filter(group => group.size <= MOST_ADDRESSES), ...apart.values()]
  const persons = new Map<bigint, bigint>()
  for (const group of groups) {
    if (group.size < 2 || group.size > MOST_ADDRESSES) continue
    let least: bigint | undefined
    for (const address of group) if (least === undefined || address < least) least = address
    for (const address of group) persons.set(address, least ?? address)
  }
  return persons
}

/** Addresses joined by what `linksOf` gives of them, by union and find. */
function groupsOf(
  identities: readonly Identity[],
  linksOf: (identity: Identity) => bigint[],
): Map<number, Set<bigint>> {
  const parents: number[] = []
  const places = new Map<string, number>()
  const placeOf = (key: string): number => {
    const known = places.get(key)
    if (known !== undefined) return known
    places.set(key, parents.length)
    return parents.push(parents.length) - 1
  }
  const rootOf = (place: number): number => {
    let root = place
    while (parents[root] !== root) root = parents[root] ?? root
    for (let at = place; at !== root; ) {
      const next = parents[at] ?? root
      parents[at] = root
      at = next
    }
    return root
  }
  for (const identity of identities) {
    const own = placeOf(`a${identity.address}`)
    linksOf(identity).forEach((link, index) => {
      // An alias is an address: who commits under it is joined too.
      if (link !== 0n) parents[rootOf(own)] = rootOf(placeOf(`${index === 0 ? 'a' : 'n'}${link}`))
    })
  }
  const groups = new Map<number, Set<bigint>>()
  // Who commits under an alias alone needs no joining, and is joined by those who do.
  for (const address of identities.flatMap(each => [each.address, each.alias])) {
    const root = rootOf(placeOf(`a${address}`))
    const group = groups.get(root) ?? new Set()
    groups.set(root, group.add(address))
  }
  return groups
}
