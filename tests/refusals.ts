import assert from 'node:assert/strict'
import { BytesError } from '#chains/errors.ts'

/** Asserts that bytes are refused for `reason` at `offset`. */
export function refusedBy(
  decode: (bytes: Uint8Array) => unknown,
  bytes: Uint8Array,
  reason: string,
  offset: number,
): void {
  assert.throws(
    () => decode(bytes),
    (error: unknown) => {
      assert.ok(error instanceof BytesError)
      assert.deepEqual([error.code, error.offset], [`decode.${reason}`, offset])
      return true
    },
  )
}

/** The bytes with `remove` of them at `at` replaced by others. */
export const spliced = (bytes: Uint8Array, at: number, remove: number, insert: readonly number[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from(insert), bytes.subarray(at + remove)])

/** Byte fields as hex, so that views and arrays of equal bytes compare equal. */
export function plain(given: unknown): unknown {
  if (given instanceof Uint8Array) return Buffer.from(given).toString('hex')
  if (Array.isArray(given)) return given.map(plain)
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(Object.entries(given).map(([key, inner]) => [key, plain(inner)]))
}
