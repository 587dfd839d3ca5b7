import type { Random } from './random.ts'

const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  1,
  -1,
  1.5,
  1e300,
  '',
  '0x',
  '0x0',
  '0x1',
  '0X1',
  '0x01',
  '0xg',
  '0x123',
  '-0x1',
  ' 0x1',
  '0x00',
  `0x${'0'.repeat(40)}`,
  `0x${'f'.repeat(64)}`,
  `0x${'f'.repeat(65)}`,
  `0x${'0'.repeat(64)}`,
  `0x${'f'.repeat(512)}`,
  [],
  {},
  [[]],
  { length: 5 },
  'latest',
  '\u0000',
]

/** One of its own: a further change may be made inside of it. */
const anyValue = (random: Random): unknown => structuredClone(VALUES[random.below(VALUES.length)])

/** The JSON with one change or up to three: a value replaced, dropped, doubled, moved, its digits changed. */
export function mutatedJson(text: string, random: Random): unknown {
  let root: unknown = JSON.parse(text)
  const changes = random.below(3) > 0 ? 1 : 1 + random.below(3)
  for (let n = 0; n < changes; n++) {
    const places = placesOf(root)
    const place = places[random.below(places.length)]
    if (place === undefined) return anyValue(random)
    const { holder, key } = place
    const other = places[random.below(places.length)]!
    switch (random.below(7)) {
      case 0:
        set(holder, key, anyValue(random))
        break
      case 1:
        if (Array.isArray(holder)) holder.splice(Number(key), 1)
        else delete (holder as Record<string, unknown>)[key]
        break
      case 2:
        if (Array.isArray(holder)) holder.splice(Number(key), 0, holder[Number(key)])
        else set(holder, `${key}2`, get(holder, key))
        break
      case 3:
        set(holder, key, structuredClone(get(other.holder, other.key)))
        break
      default:
        set(holder, key, otherDigits(get(holder, key), random))
    }
    if (random.below(200) === 0) root = anyValue(random)
    if (typeof root !== 'object' || root === null) return root
  }
  return root
}

type Place = { readonly holder: object; readonly key: string }

const get = (holder: object, key: string): unknown => (holder as Record<string, unknown>)[key]
const set = (holder: object, key: string, value: unknown): void => {
  ;(holder as Record<string, unknown>)[key] = value
}

function placesOf(root: unknown): Place[] {
  const places: Place[] = []
  const open: unknown[] = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    for (const key of Object.keys(value)) {
      places.push({ holder: value, key })
      open.push(get(value, key))
    }
  }
  return places
}

/** A text with one of its characters another one; a number or another value turned. */
function otherDigits(value: unknown, random: Random): unknown {
  if (typeof value === 'number') return value + random.below(5) - 2
  if (typeof value !== 'string' || value.length === 0) return value === null ? '0x1' : !value
  const at = random.below(value.length)
  const digit = '0123456789abcdefABCDEFx '[random.below(24)]!
  return value.slice(0, at) + digit + value.slice(at + 1)
}
