import type { Random } from './random.ts'

/**
 * One of the corpus with one change or up to six: bits, telling bytes, cuts, repeats, insertions, ends, parts of others. Half of the
 * changes fall into `dense`, where a change tells most.
 */
export function mutated(
  corpus: readonly Buffer<ArrayBuffer>[],
  random: Random,
  telling: readonly number[],
  dense: { readonly from: number; readonly length: number },
): Buffer<ArrayBuffer> {
  const original = corpus[random.below(corpus.length)]!
  let bytes = Buffer.from(original)
  const changes = random.below(2) === 0 ? 1 : 1 + random.below(6)
  for (let n = 0; n < changes && bytes.length > 0; n++) {
    const at =
      random.below(2) === 0
        ? random.below(bytes.length)
        : Math.min(bytes.length - 1, dense.from + random.below(dense.length))
    const length = Math.min(bytes.length - at, 1 + random.below(random.below(2) === 0 ? 8 : 400))
    // A lone change is mostly of one byte: those decode most often, and must not do so wrongly.
    switch (random.below(changes === 1 && random.below(4) > 0 ? 3 : 8)) {
      case 0:
        bytes[at]! ^= 1 << random.below(8)
        break
      case 1:
        bytes[at] = telling[random.below(telling.length)]!
        break
      case 2:
        bytes[at] = random.below(256)
        break
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
        break
      case 4:
        bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)])
        break
      case 5:
        bytes = Buffer.concat([bytes.subarray(0, at), random.bytes(length), bytes.subarray(at)])
        break
      case 6:
        bytes = bytes.subarray(0, at)
        break
      default: {
        const other = corpus[random.below(corpus.length)]!
        const from = random.below(other.length)
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          other.subarray(from, from + length),
          bytes.subarray(at + length),
        ])
      }
    }
  }
  return bytes
}
